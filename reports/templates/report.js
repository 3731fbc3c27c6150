"use strict";

// What the page does beyond showing itself. It holds everything without this: tables stand in their order, folded
// parts open by hand.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const directions = [
  { name: "ascending", sign: "▲", words: ["A to Z", "smallest first"] },
  { name: "descending", sign: "▼", words: ["Z to A", "largest first"] },
];

/** A number as it is written here, with thousands set apart and a true minus sign; what follows is left. Else null. */
function written(text) {
  const found = /^([+−-]?)(\d[\d,]*(?:\.\d+)?)/.exec(text.trim());
  return found && Number(found[2].replaceAll(",", "")) * (/[−-]/.test(found[1]) ? -1 : 1);
}

/** What a cell is sorted by: its words, the number that it shows, and the same number with all its digits. */
function key(cell) {
  const data = cell.classList.contains("num") ? cell.querySelector("data") : null;
  const shown = (data || cell).cloneNode(true);
  shown.querySelectorAll("[aria-hidden], .interval, .note").forEach((beside) => beside.remove());
  const text = shown.textContent.trim();
  const number = written(text);
  return { text, number, exact: data ? Number(data.value) : number, empty: text === "" || text === "–" };
}

/** How two cells compare; what is shown goes before digits that are not, as units may differ within a column. */
function compare(a, b, numbers) {
  return numbers ? a.number - b.number || a.exact - b.exact : collator.compare(a.text, b.text);
}

/** Sort the rows of a table by a column; equal rows keep their order, and empty cells stand last either way. */
function sort(table, column, direction) {
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: key(row.cells[column]) }));
  const filled = rows.filter((each) => !each.key.empty);
  const numbers = filled.every((each) => each.key.number !== null);
  const sign = direction.name === "ascending" ? 1 : -1;
  filled.sort((a, b) => sign * compare(a.key, b.key, numbers));
  const empty = rows.filter((each) => each.key.empty);
  table.tBodies[0].append(...[...filled, ...empty].map((each) => each.row));
  return direction.words[Number(numbers)];
}

/** Turn the heading of a column into a button that sorts by it, upwards at first and then the other way round. */
function sortable(heading, column, announce) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  const title = button.textContent.replace(/\s+/g, " ").trim();
  const sign = document.createElement("span");
  sign.className = "order";
  sign.setAttribute("aria-hidden", "true");
  button.prepend(sign);
  heading.append(button);
  button.addEventListener("click", () => {
    const direction = directions[Number(heading.getAttribute("aria-sort") === "ascending")];
    for (const each of heading.parentElement.cells) {
      each.removeAttribute("aria-sort");
      each.querySelector(".order")?.replaceChildren();
    }
    const words = sort(heading.closest("table"), column, direction);
    heading.setAttribute("aria-sort", direction.name);
    sign.textContent = direction.sign;
    announce(`Sorted by ${title}, ${words}.`);
  });
}

/** Make tables of more than one row sortable. */
function sortTables() {
  const status = document.createElement("p");
  status.className = "unseen";
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);
  for (const table of document.querySelectorAll("table")) {
    if (table.tHead && table.tBodies[0].rows.length > 1) {
      const headings = [...table.tHead.rows[0].cells];
      headings.forEach((heading, column) => {
        if (heading.textContent.trim()) {
          sortable(heading, column, (text) => { status.textContent = text; });
        }
      });
    }
  }
}

/** Unfold what holds the place that the address names, and show it. */
function reveal() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = place && place.closest("details"); part; part = part.parentElement.closest("details")) {
    part.open = true;
  }
  if (place) {
    place.scrollIntoView();
  }
}

/** Follow links within the page into what is folded. */
function followLinks() {
  const follow = () => requestAnimationFrame(reveal);
  document.addEventListener("click", (event) => {
    if (event.target.closest('a[href^="#"]')) {
      follow();
    }
  });
  if (location.hash) {
    follow();
  }
}

/** Unfold everything for paper, and fold it again afterwards. */
function unfoldForPaper() {
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((part) => { part.open = true; });
  });
  window.addEventListener("afterprint", () => {
    folded.forEach((part) => { part.open = false; });
    folded = [];
  });
}

document.addEventListener("DOMContentLoaded", () => {
  sortTables();
  unfoldForPaper();
  followLinks();
});
