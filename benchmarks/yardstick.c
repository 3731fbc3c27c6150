/* Yardstick: two-player `bastra` rounds, single thread, in plain C.
 *
 *   gcc -O3 -march=native yardstick.c -o yardstick && ./yardstick 4000000
 *
 * Mode 0: uniformly random cards. Mode 1: one-step greedy over every card in hand. Time is that of the processor.
 * Of competing captures both take one with the most cards. Prints ns a round and rounds a minute, to be set
 * beside the project's own figure in the same run; mean points by seat are printed as a sanity check.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

/* card = 4 * rank + suit, rank 0 = ace … 9 = ten, 10 jack, 11 queen, 12 king; suits C D H S */
static int32_t *CAPTURE[11];   /* per value: rank counts in base 5 -> 3-bit counts to take */
static uint8_t COUNTS[4096];   /* three nibbles -> base-5 number of their bit counts */
static uint8_t LOWEST[16][5];  /* nibble, k -> its k lowest bits (clubs first, so 2C goes first) */
static int POINTS[52];

static void build_value(int v) {
  int n = 1, parts[64][10], np = 0, now[10] = {0}, pw[10], pidx[64], plen[64];
  for (int j = 1; j < v; j++) n *= 5;
  for (;;) {                                        /* partitions of v into two or more smaller parts */
    int i = 1, s = 0;
    while (i < v && ++now[i] > 4) now[i++] = 0;
    if (i >= v) break;
    for (int j = 1; j < v; j++) s += j * now[j];
    if (s == v) memcpy(parts[np++], now, sizeof now);
  }
  pw[1] = 1;
  for (int j = 2; j < 10; j++) pw[j] = pw[j - 1] * 5;
  for (int p = 0; p < np; p++) {
    pidx[p] = plen[p] = 0;
    for (int j = 1; j < v; j++) pidx[p] += parts[p][j] * pw[j], plen[p] += parts[p][j];
  }
  int8_t *best = calloc(n, 1);
  CAPTURE[v] = calloc(n, sizeof(int32_t));
  for (int k = 0; k < n; k++) {
    int count[10], t = k;
    for (int j = 1; j < v; j++) count[j] = t % 5, t /= 5;
    for (int p = 0; p < np; p++) {
      int fits = 1;
      for (int j = 1; j < v && fits; j++) fits = parts[p][j] <= count[j];
      if (!fits) continue;
      int q = k - pidx[p], x = best[q] + plen[p];
      if (x <= best[k]) continue;
      int take = 0;
      for (int j = 1; j < v; j++) take |= parts[p][j] << (3 * (j - 1));
      best[k] = x;
      CAPTURE[v][k] = CAPTURE[v][q] + take;
    }
  }
  free(best);
}

static inline u64 capture(u64 floor, int card) {
  int r = card >> 2, v = r + 1;
  if (r == 10) return floor;
  u64 taken = floor & (15ull << (4 * r));
  if (v < 2 || v > 10) return taken;
  u64 low = floor & ((1ull << (4 * r)) - 1);
  if (!(low & (low - 1))) return taken;
  int k = COUNTS[low & 4095];
  if (v > 4) k += 125 * COUNTS[(low >> 12) & 4095];
  if (v > 7) k += 15625 * COUNTS[(low >> 24) & 4095];
  int take = CAPTURE[v][k];
  for (int j = 0; take; take >>= 3, j++)
    if (take & 7) taken |= (u64)LOWEST[(low >> (4 * j)) & 15][take & 7] << (4 * j);
  return taken;
}

static u64 state;
static inline u64 draw(void) {                      /* splitmix64 */
  u64 z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static inline int below(u64 half, int n) { return (int)(((half & 0xffffffffu) * (u64)n) >> 32); }

#define ACES_JACKS (0xFull | (0xFull << 40))
static inline int points(u64 m) { return __builtin_popcountll(m & ACES_JACKS) + (int)((m >> 4) & 1) * 2 + (int)((m >> 37) & 1) * 3; }

static double greedy_score(u64 floor, int card, u64 taken) {
  if (!taken) return -1.0 * POINTS[card] - 0.01 * (card >> 2) - ((card >> 2) == 10 ? 5 : 0) - (floor ? 0 : 1);
  return points(taken | (1ull << card)) + 0.2 * __builtin_popcountll(taken)
       + (taken == floor && (card >> 2) != 10 ? 10 : 0) - ((card >> 2) == 10 ? 2 : 0);
}

static void play_round(int greedy, int total[2]) {
  int deck[52], hand[2][4], back = 51, pos = 0, last = 0, basras[2] = {0, 0};
  u64 floor = 0, pile[2] = {0, 0};
  for (int i = 0; i < 52; i++) deck[i] = i;
  for (int i = 51; i > 0;) {                        /* Fisher-Yates, two steps a draw */
    u64 x = draw();
    for (int half = 0; half < 2 && i > 0; half++, i--, x >>= 32) {
      int j = below(x, i + 1), t = deck[i];
      deck[i] = deck[j], deck[j] = t;
    }
  }
  for (int q = 8; q < 12; q++) {
    while ((deck[q] >> 2) == 10) { int t = deck[q]; deck[q] = deck[back]; deck[back--] = t; }
    floor |= 1ull << deck[q];
  }
  for (int deal = 0; deal < 6; deal++) {
    for (int k = 0; k < 4; k++) hand[0][k] = deck[pos + 2 * k], hand[1][k] = deck[pos + 2 * k + 1];
    pos += deal ? 8 : 12;
    for (int left = 4; left > 0; left--)
      for (int seat = 0; seat < 2; seat++) {
        int pick = 0;
        u64 taken = 0;
        if (!greedy) {
          pick = below(draw(), left);
          if (floor) taken = capture(floor, hand[seat][pick]);
        } else {
          double best = -1e9;
          for (int q = 0; q < left; q++) {
            u64 t = floor ? capture(floor, hand[seat][q]) : 0;
            double s = greedy_score(floor, hand[seat][q], t);
            if (s > best) best = s, pick = q, taken = t;
          }
        }
        int card = hand[seat][pick];
        hand[seat][pick] = hand[seat][left - 1];
        if (!taken) { floor |= 1ull << card; continue; }
        if (taken == floor && (card >> 2) != 10) basras[seat] += 10;
        floor &= ~taken;
        pile[seat] |= taken | 1ull << card;
        last = seat;
      }
  }
  pile[last] |= floor;
  int n0 = __builtin_popcountll(pile[0]);
  total[0] = points(pile[0]) + basras[0] + (n0 >= 26 ? 3 : 0);
  total[1] = points(pile[1]) + basras[1] + (n0 <= 26 ? 3 : 0);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000000;
  for (int v = 2; v <= 10; v++) build_value(v);
  for (int m = 0; m < 4096; m++)
    COUNTS[m] = __builtin_popcount(m & 15) + 5 * __builtin_popcount(m >> 4 & 15) + 25 * __builtin_popcount(m >> 8);
  for (int m = 0; m < 16; m++)
    for (int k = 0; k < 5; k++)
      for (int b = 0, c = 0; b < 4; b++)
        if ((m >> b & 1) && c < k) LOWEST[m][k] |= 1 << b, c++;
  for (int s = 0; s < 4; s++) POINTS[s] = POINTS[40 + s] = 1;
  POINTS[4] = 2, POINTS[37] = 3;
  for (int mode = 0; mode < 2; mode++) {
    struct timespec a, b;
    long long sum[2] = {0, 0};
    int total[2];
    state = 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < n; i++) play_round(mode, total), sum[0] += total[0], sum[1] += total[1];
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double s = b.tv_sec - a.tv_sec + 1e-9 * (b.tv_nsec - a.tv_nsec);
    printf("%s ns/round %.0f rounds/min %.2fM mean points %.3f %.3f\n", mode ? "greedy" : "random", s / n * 1e9, n / s * 60 / 1e6, (double)sum[0] / n, (double)sum[1] / n);
  }
  return 0;
}
