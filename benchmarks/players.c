/* The players that weigh their plays, in two-player `bastra`, on one thread, in plain C: what the package's own speed
 * is set beside.
 *
 *   gcc -O3 -march=native -ffp-contract=off players.c -o players && ./players 1 1000000 < weights
 *
 * Arguments: the seed, the number of rounds, and the first deal (0 if it is left out). The input holds for each player
 * his name and two rows of weights as `features.py` lays them out, in hexadecimal. For each player a line is printed:
 * time a round, rounds a minute, and what the package must agree with to the last bit: points of both seats in all, and
 * a checksum over every play.
 *
 * Deals, weights and choices between plays are those of the package; a product and a sum may not be contracted into one
 * operation, or the last bits differ.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

#define bits __builtin_popcountll
#define lowest __builtin_ctzll

/* A card is 4 * rank + suit, rank 0 = ace ... 9 = ten, 10 jack, 11 queen, 12 king; suits C D H S. */
enum { JACK = 10, PACK = 52, HAND = 4, DEALS = 6, BASRA = 10, MAJORITY = 3, MOST = 1024 };
#define CARD(c) (1ull << (c))
#define FOUR(r) (15ull << (4 * (r)))
#define ALL (CARD(PACK) - 1)
#define NUMERALS (CARD(4 * JACK) - 1)
#define TWO CARD(4)
#define TEN CARD(37)

static inline int points(u64 cards) {
  return bits(cards & (FOUR(0) | FOUR(JACK))) + 2 * !!(cards & TWO) + 3 * !!(cards & TEN);
}

/* What a numeral takes by sums: tables by the counts of the ranks below it, written in base 5. */
enum { PARTIAL = 512, CHOICE = 1024 };
static const int POWER[10] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125};
static uint16_t *RANKS[10];   /* by rank: the ranks it takes from, one bit each; PARTIAL: not all cards of each of them;
                                 CHOICE: several largest sets, of which this is the union */
static uint32_t *COUNTS[10];  /* by rank: how many it takes of each, three bits each */
static uint16_t BASE5[4096];  /* three nibbles -> their bit counts in base 5 */
static u64 SPREAD[512];       /* one bit a rank -> all cards of those ranks */
static uint8_t LOWEST[16][8]; /* nibble, k -> its k lowest bits */
static double CHANCE[5][PACK + 1][PACK + 1];

static int parts[64][9], parts_found;

static void list_parts(int rest, int largest, int *now) { /* sums of smaller parts, each used four times at most */
  if (!rest) memcpy(parts[parts_found++], now, sizeof parts[0]);
  for (int part = rest < largest ? rest : largest; part > 0; part--)
    if (now[part - 1] < 4) now[part - 1]++, list_parts(rest - part, part, now), now[part - 1]--;
}

static void build_rank(int rank) {
  int size = POWER[rank], now[9] = {0}, count[9] = {0}, below[64];
  uint8_t *splits = calloc(size, 1); /* whether all of the cards fall into groups of the sum */
  RANKS[rank] = calloc(size, sizeof *RANKS[rank]), COUNTS[rank] = calloc(size, sizeof *COUNTS[rank]);
  if (!splits || !RANKS[rank] || !COUNTS[rank]) exit(2);
  parts_found = 0, list_parts(rank + 1, rank, now);
  for (int p = 0; p < parts_found; p++) {
    below[p] = 0;
    for (int j = 0; j < rank; j++) below[p] += parts[p][j] * POWER[j];
  }
  splits[0] = 1;
  for (int index = 1; index < size; index++) {
    for (int j = 0; ++count[j] == 5; j++) count[j] = 0;
    int top = rank - 1, take[9], whole = 0, flags = 0;
    while (!count[top]) top--;
    for (int p = 0; p < parts_found && !splits[index]; p++) {
      int fits = parts[p][top] > 0; /* the highest card must be in some group */
      for (int j = 0; j < rank && fits; j++) fits = parts[p][j] <= count[j];
      splits[index] = fits && splits[index - below[p]];
    }
    for (int j = 0; j < rank; j++) {
      take[j] = splits[index] ? count[j] : 0;
      for (int k = 0; k < rank && !splits[index]; k++) {
        int taken = count[k] ? COUNTS[rank][index - POWER[k]] >> (3 * j) & 7 : 0;
        if (taken > take[j]) take[j] = taken;
      }
      whole += take[j] * POWER[j];
      COUNTS[rank][index] |= (uint32_t)take[j] << (3 * j);
      if (take[j]) flags |= 1 << j | (take[j] < count[j] ? PARTIAL : 0);
    }
    RANKS[rank][index] = flags | (splits[whole] ? 0 : CHOICE);
  }
  free(splits);
}

static void build(void) {
  for (int rank = 1; rank < 10; rank++) build_rank(rank);
  for (int m = 0; m < 4096; m++) BASE5[m] = bits(m & 15) + 5 * bits(m >> 4 & 15) + 25 * bits(m >> 8);
  for (int m = 0; m < 512; m++)
    for (int j = 0; j < 9; j++)
      if (m >> j & 1) SPREAD[m] |= FOUR(j);
  for (int m = 0; m < 16; m++)
    for (int k = 0; k < 8; k++)
      for (int suit = 0; suit < 4; suit++)
        if (m >> suit & 1 && bits(LOWEST[m][k]) < k) LOWEST[m][k] |= 1 << suit;
  for (int unseen = 0; unseen <= PACK; unseen++) /* that a hidden hand holds at least one of some unseen cards */
    for (int meant = 0; meant <= PACK; meant++) {
      double none = 1;
      for (int hand = 1; hand <= HAND; hand++) {
        double rest = unseen - hand + 1 > 1 ? unseen - hand + 1 : 1, step = (unseen - meant - hand + 1) / rest;
        none *= step < 0 ? 0 : step > 1 ? 1 : step;
        CHANCE[hand][unseen][meant] = 1 - none;
      }
    }
}

static inline int base5(u64 low, int rank) {
  int index = BASE5[low & 4095];
  if (rank > 3) index += 125 * BASE5[low >> 12 & 4095];
  if (rank > 6) index += 15625 * BASE5[low >> 24 & 4095];
  return index;
}

/* Cards taken; CHOICE_OF_SETS where there may be several largest sets. */
#define CHOICE_OF_SETS (~0ull)
static inline u64 capture(u64 floor, int card) {
  int rank = card >> 2;
  if (rank == JACK) return floor;
  u64 same = floor & FOUR(rank), low = rank < JACK ? floor & (CARD(4 * rank) - 1) : 0;
  if (!(low & (low - 1))) return same;
  int entry = RANKS[rank][base5(low, rank)];
  return entry < PARTIAL ? same | (low & SPREAD[entry]) : CHOICE_OF_SETS;
}

/* Every largest set, in the order in which the package lists them: from all the cards down, one less at a time. */
static inline int holds_all(u64 larger, u64 smaller) {
  return (((larger | 0x888888888) - smaller) & 0x888888888) == 0x888888888;
}

static int largest_sets(u64 low, int rank, u64 *found) {
  static struct { u64 counts; int index, start; } stack[MOST];
  int number = 0, depth = 1;
  stack[0].counts = 0, stack[0].index = base5(low, rank), stack[0].start = 0;
  for (int j = 0; j < rank; j++) stack[0].counts |= (u64)bits(low & FOUR(j)) << (4 * j);
  while (depth--) {
    u64 counts = stack[depth].counts, take = 0;
    int index = stack[depth].index, start = stack[depth].start, entry = RANKS[rank][index], below = !entry, kept = 0;
    for (int k = 0; k < number; k++) below |= holds_all(found[k], counts);
    if (below) continue;
    if (entry & CHOICE) {
      for (int j = start, slot = depth; j < rank; j++)
        if (counts & FOUR(j)) {
          if (slot == MOST) exit(3);
          stack[slot].counts = counts - CARD(4 * j), stack[slot].index = index - POWER[j], stack[slot].start = j;
          depth = ++slot;
        }
      continue;
    }
    for (int j = 0; j < rank; j++) take |= (u64)(COUNTS[rank][index] >> (3 * j) & 7) << (4 * j);
    for (int k = 0; k < number; k++)
      if (!holds_all(take, found[k])) found[kept++] = found[k];
    number = kept, below = 0;
    for (int k = 0; k < number; k++) below |= holds_all(found[k], take);
    if (number == MOST) exit(3);
    if (!below) found[number++] = take;
  }
  return number;
}

/* The sets taken by a card that has a choice. Suits matter for the two of clubs alone: with it and without it. */
static __attribute__((noinline)) int choices(u64 floor, int card, u64 *sets) {
  u64 found[MOST], low = floor & (CARD(card & ~3) - 1);
  int rank = card >> 2, number = largest_sets(low, rank, found), made = 0;
  for (int k = 0; k < number; k++) {
    int first = made;
    if (made + 2 > MOST) exit(3);
    sets[made++] = floor & FOUR(rank);
    for (int j = 0; j < rank; j++) {
      int take = found[k] >> (4 * j) & 15, four = low >> (4 * j) & 15, mark = TWO >> (4 * j) & four;
      u64 plain = (u64)LOWEST[four & ~mark][take] << (4 * j);
      if (take && take < bits(four) && mark) {
        sets[made] = sets[first] | plain;
        plain = (u64)(mark | LOWEST[four & ~mark][take - 1]) << (4 * j), made++;
        sets[first] |= plain;
      } else
        for (int m = first; m < made; m++) sets[m] |= take == bits(four) ? (u64)four << (4 * j) : plain;
    }
  }
  return made;
}

/* Weights of a player in a phase of the round, as the package lays them out. */
typedef struct {
  double lay[PACK], take[PACK], points, cards, basra, uses_risk, risk_lowers, basra_risk, points_risk, cards_risk;
} Weights;

/* What the next player may hold, as far as whoever plays now can tell. */
typedef struct {
  u64 ranks;            /* the lowest bit of each rank of which a card is unseen, but for jacks */
  u64 counts;           /* how many cards of each rank are unseen, four bits a rank */
  const double *chance; /* that he holds one of so many unseen cards */
} Next;

#define EACH(nibble) (0x1111111111111 * (nibble))

static inline u64 ranks_of(u64 cards) {
  u64 either = cards | cards >> 1;
  return (either | either >> 2) & EACH(1);
}

static inline u64 counts_of(u64 cards) {
  u64 pairs = cards - (cards >> 1 & EACH(5));
  return (pairs & EACH(3)) + (pairs >> 2 & EACH(3));
}

/* Sums that numerals make, alone or with others: bit 4 * s for the sum s. */
static inline u64 sums_with(u64 sums, int card) { return card < 4 * JACK ? sums | sums << (card & ~3) << 4 : sums; }

static inline u64 sums_of(u64 cards) {
  u64 sums = 1;
  for (u64 rest = cards & NUMERALS; rest; rest &= rest - 1) sums |= sums << (lowest(rest) & ~3) << 4;
  return sums;
}

/* Expected largest gain among the cards of the next hand. The gains that some card has are the bits of a word, how many
 * cards have each is counted. */
static inline double expected(u64 gains, const uint8_t *counts, const double *chance) {
  double total = 0, below = 0;
  for (int above = 0; gains;) {
    int best = 63 - __builtin_clzll(gains);
    gains ^= CARD(best);
    above += counts[best];
    total += best * (chance[above] - below), below = chance[above];
  }
  return total;
}

/* What is left to the next player: the basra, points and cards that he can take, as expected, weighted. Only cards of a
 * rank that lies there, and those that some sum makes, take anything; jacks take all. */
static inline double risk(const Weights *w, const Next *next, u64 floor, u64 sums) {
  uint8_t by_points[16] = {0}, by_cards[64] = {0};
  int basras = 0, all_points = points(floor), jacks = next->counts >> (4 * JACK) & 15;
  u64 of_points = (u64)(jacks > 0) << all_points, of_cards = (u64)(jacks > 0) << bits(floor);
  by_points[all_points] = by_cards[bits(floor)] = jacks;
  for (u64 rest = (ranks_of(floor) | (sums >> 4 & NUMERALS)) & next->ranks; rest; rest &= rest - 1) {
    int at = lowest(rest), rank = at >> 2, count = next->counts >> at & 15, whole = 1;
    u64 reach = floor & 15ull << at, low = rank < JACK ? floor & (CARD(at) - 1) : 0;
    if (low & (low - 1)) {
      int entry = RANKS[rank][base5(low, rank)];
      reach |= low & SPREAD[entry & (PARTIAL - 1)], whole = entry < PARTIAL;
    }
    if (reach == floor && whole) basras += count;
    by_points[points(reach)] += count, of_points |= CARD(points(reach));
    by_cards[bits(reach)] += count, of_cards |= CARD(bits(reach));
  }
  double worth = w->basra_risk * (BASRA * next->chance[basras]);
  if (all_points) worth += w->points_risk * expected(of_points & ~1ull, by_points, next->chance);
  if (w->cards_risk != 0) worth += w->cards_risk * expected(of_cards, by_cards, next->chance);
  return worth;
}

/* The play of the highest worth, the first of equals. What it risks is looked at last, and only if that matters. */
static inline int choose(const Weights *w, u64 hand, u64 floor, u64 gone, int next_hand, u64 *best_taken) {
  u64 sets[MOST], unseen = ALL & ~(hand | floor | gone), sums = 0;
  int best_card = 0, wary = w->uses_risk && next_hand;
  double best = -1e300;
  Next next = {0, 0, NULL};
  if (wary) {
    next = (Next){ranks_of(unseen) & ~FOUR(JACK), counts_of(unseen), CHANCE[next_hand][bits(unseen)]};
    sums = sums_of(floor);
  }
  for (u64 rest = hand; rest; rest &= rest - 1) {
    int card = lowest(rest), number = 1;
    sets[0] = floor ? capture(floor, card) : 0;
    if (sets[0] == CHOICE_OF_SETS) number = choices(floor, card, sets);
    if (number == 1 && !(hand & (hand - 1))) return *best_taken = sets[0], card;
    for (int k = 0; k < number; k++) {
      u64 taken = sets[k], left = taken ? floor ^ taken : floor | CARD(card);
      double value = w->lay[card];
      if (taken) {
        value = w->take[card] + w->points * points(taken) + w->cards * bits(taken);
        if (taken == floor && card >> 2 != JACK) value += w->basra * BASRA;
      }
      if (wary && left && !(w->risk_lowers && value <= best))
        value += risk(w, &next, left, taken ? sums_of(left) : sums_with(sums, card));
      if (value > best) best = value, best_card = card, *best_taken = taken;
    }
  }
  return best_card;
}

/* Shuffled packs by seed and index: a SplittableRandom of its own for each index, several places from one word. */
static inline u64 mix(u64 z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

static inline u64 mix_gamma(u64 z) {
  z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD;
  z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53;
  z = (z ^ z >> 33) | 1;
  return bits(z ^ z >> 1) < 24 ? z ^ 0xAAAAAAAAAAAAAAAA : z;
}

static inline void shuffle(u64 seed, u64 index, uint8_t *deck) {
  static const int sizes[] = {52, 42, 31, 18, 1}; /* of the rest when a new word is drawn; and the end */
  const u64 golden = 0x9E3779B97F4A7C15, at = mix(seed) + 2 * index * golden, gamma = mix_gamma(at + 2 * golden);
  u64 state = mix(at + golden);
  for (int card = 0; card < PACK; card++) deck[card] = card;
  for (int part = 0; part < 4; part++) {
    u64 product = 1, word, low;
    for (int n = sizes[part]; n > sizes[part + 1]; n--) product *= n;
    do word = mix(state += gamma), low = word * product;
    while (low < product && low < -product % product);
    for (int n = sizes[part]; n > sizes[part + 1]; n--) {
      unsigned __int128 wide = (unsigned __int128)word * n;
      int place = wide >> 64;
      uint8_t card = deck[place];
      word = wide, deck[place] = deck[n - 1], deck[n - 1] = card;
    }
  }
}

typedef struct {
  u64 checksum;
  long long points[2];
} Totals;

static inline void play_round(const Weights *weights, u64 seed, u64 index, Totals *totals) {
  uint8_t deck[PACK + 64];
  int end = PACK, top = 2 * HAND + 4, at = 0, last = 0, basras[2] = {0, 0};
  u64 floor = 0, gone = 0, piles[2] = {0, 0}, hands[2], checksum = 0;
  shuffle(seed, index, deck);
  for (int place = 2 * HAND; place < 2 * HAND + 4; place++) {
    while (deck[place] >> 2 == JACK) deck[end++] = deck[place], deck[place] = deck[top++]; /* under the pack with it */
    floor |= CARD(deck[place]);
  }
  for (int deal = 0; deal < DEALS; deal++) {
    hands[0] = hands[1] = 0;
    for (int k = 0; k < 2 * HAND; k++) hands[k & 1] |= CARD(deck[at + k]);
    at = deal ? at + 2 * HAND : top;
    for (int left = HAND; left > 0; left--)
      for (int seat = 0; seat < 2; seat++) {
        int last_deal = deal == DEALS - 1, next_hand = left - seat ? left - seat : last_deal ? 0 : HAND;
        u64 taken = 0;
        int card = choose(weights + (last_deal && left <= 2), hands[seat], floor, gone, next_hand, &taken);
        checksum = checksum * 0x9E3779B97F4A7C15 + (taken ^ (u64)card << PACK);
        hands[seat] ^= CARD(card);
        if (!taken) {
          floor |= CARD(card);
          continue;
        }
        if (taken == floor && card >> 2 != JACK) basras[seat] += BASRA;
        floor ^= taken;
        gone |= taken | CARD(card), piles[seat] |= taken | CARD(card);
        last = seat;
      }
  }
  piles[last] |= floor;
  for (int seat = 0; seat < 2; seat++)
    totals->points[seat] += points(piles[seat]) + basras[seat] + MAJORITY * (bits(piles[seat]) >= PACK / 2);
  totals->checksum += checksum;
}

int main(int argc, char **argv) {
  static double rows[2 * (2 * PACK + 8)];
  static Weights weights[2]; /* for nearly all of a round; for the last cards of the last hands */
  _Static_assert(sizeof rows == sizeof weights, "the weights of a phase");
  char name[64];
  if (argc < 3) return fprintf(stderr, "usage: players SEED ROUNDS [FIRST] < weights\n"), 2;
  u64 seed = strtoull(argv[1], NULL, 10), rounds = strtoull(argv[2], NULL, 10);
  u64 first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
  volatile double third = 1.0 / 3;
  if (third * 3 - 1 != 0) return fprintf(stderr, "products are contracted: compile with -ffp-contract=off\n"), 2;
  build();
  while (scanf("%63s", name) == 1) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
      if (scanf("%la", rows + k) != 1) return fprintf(stderr, "%s: weight %zu cannot be read\n", name, k), 2;
    memcpy(weights, rows, sizeof rows);
    Totals totals = {0};
    struct timespec start, stop;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (u64 index = first; index < first + rounds; index++) play_round(weights, seed, index, &totals);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    double seconds = stop.tv_sec - start.tv_sec + 1e-9 * (stop.tv_nsec - start.tv_nsec);
    printf("%s ns/round %.0f rounds/min %.2fM points %lld %lld checksum %016llx\n", name, seconds / rounds * 1e9,
           rounds / seconds * 60 / 1e6, totals.points[0], totals.points[1], (unsigned long long)totals.checksum);
    fflush(stdout);
  }
  return 0;
}
