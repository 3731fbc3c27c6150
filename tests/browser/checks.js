const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const named = (element) => {
  const id = element.id || element.closest("[id]")?.id || "";
  return `${element.localName}${id && `#${id}`} “${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}”`;
};
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

const frame = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
const settle = async () => { await frame(); };
const unfold = async () => { all("details").forEach((part) => { part.open = true; }); await frame(); };
const layOut = async () => {
  all("*").filter((each) => getComputedStyle(each).contentVisibility === "auto")
    .forEach((each) => { each.style.contentVisibility = "visible"; });
  await frame();
};
const loaded = () => performance.getEntriesByType("navigation")[0].loadEventEnd;

const overflow = async () => {
  await layOut();
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) {
    return [];
  }
  const out = (each) => !each.closest("svg *") && each.getBoundingClientRect().right > width + 0.5;
  const wide = all("body *").filter(out);
  const scrolled = (each) => {
    const box = each.parentElement;
    return box && (getComputedStyle(box).overflowX !== "visible" || scrolled(box));
  };
  const causes = wide.filter((each) => !scrolled(each)).slice(0, 5).map(named);
  return [`${document.documentElement.scrollWidth} wide`, ...causes];
};

const inside = (part, box, slack) => part.left >= box.left - slack && part.right <= box.right + slack
  && part.top >= box.top - slack && part.bottom <= box.bottom + slack;
// Letters are lower than the box of their line: what overlaps by no more than the space around them is apart.
const onto = (a, b) => {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 1 && down > 0.3 * Math.min(a.height, b.height, a.width, b.width);
};
const figures = async (smallest) => {
  await layOut();
  const wrong = [];
  for (const picture of all("svg")) {
    const box = picture.getBoundingClientRect();
    const title = picture.closest("figure")?.id || named(picture);
    if (!seen(picture) || box.width < 100 || box.height < 30) {
      wrong.push(`${title} is not to be seen: ${box.width} × ${box.height}`);
      continue;
    }
    if (picture.getAttribute("role") !== "img" || !picture.getAttribute("aria-label")?.trim()) {
      wrong.push(`${title} has no words in its place`);
    }
    const texts = all("text", picture).filter((each) => each.textContent.trim())
      .map((each) => ({ each, box: each.getBoundingClientRect() }));
    if (!texts.length) {
      wrong.push(`${title} holds no text`);
    }
    for (const { each, box: of } of texts) {
      if (!of.width || !of.height) {
        wrong.push(`${title}: ${named(each)} is not to be seen`);
      }
      if (!inside(of, box, 1)) {
        wrong.push(`${title}: ${named(each)} is cut off`);
      }
      const { a, b } = each.getScreenCTM();
      const size = parseFloat(getComputedStyle(each).fontSize) * Math.abs(a || b);
      if (size < smallest) {
        wrong.push(`${title}: ${named(each)} is ${size.toFixed(1)} high`);
      }
    }
    texts.forEach((a, k) => texts.slice(k + 1).forEach((b) => {
      if (onto(a.box, b.box)) {
        wrong.push(`${title}: ${named(a.each)} and ${named(b.each)} are on one another`);
      }
    }));
  }
  return wrong;
};

const targets = () => {
  const found = all("a").map((each) => each.getAttribute("href") ?? "");
  return [...new Set(found.filter((each) => !each.startsWith("#")))];
};
// A place is reached if it is in sight afterwards and nothing covers it.
const places = async () => {
  const wrong = [];
  for (const link of all('a[href^="#"]')) {
    const place = document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1)));
    if (!place) {
      wrong.push(`${link.getAttribute("href")} leads nowhere`);
      continue;
    }
    window.scrollTo(0, 0);
    history.replaceState(null, "", location.pathname);
    link.click();
    await frame();
    await new Promise((done) => { setTimeout(done, 150); });  // what lies between may be laid out late, and shift the place
    const box = place.getBoundingClientRect();
    const atEnd = Math.abs(window.scrollY + window.innerHeight - document.documentElement.scrollHeight) < 2;
    const near = box.top >= -1 && (box.top < 60 || (atEnd && box.top < window.innerHeight));
    if (!near || !seen(place)) {
      wrong.push(`${link.getAttribute("href")} is ${Math.round(box.top)} below the top of the window`);
    } else {
      const top = document.elementFromPoint(box.left + 2, Math.max(box.top, 0) + 1);
      if (top && !place.contains(top) && !top.contains(place)) {
        wrong.push(`${link.getAttribute("href")} is covered by ${named(top)}`);
      }
    }
  }
  return wrong;
};

// A canvas knows every way to write a colour.
const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (colour) => {
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = colour;
  brush.fillRect(0, 0, 1, 1);
  return [...brush.getImageData(0, 0, 1, 1).data];
};
const luminance = (colour) => rgb(colour).slice(0, 3)
  .map((part) => part / 255)
  .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};
const faint = async (least) => {
  await layOut();
  const wrong = [];
  for (const text of all("svg text").filter((each) => each.textContent.trim() && seen(each))) {
    text.scrollIntoView({ block: "center" });
    const box = text.getBoundingClientRect();
    const below = document.elementsFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
      .filter((each) => each.closest("svg") && !["text", "tspan", "svg"].includes(each.localName))
      .map((each) => getComputedStyle(each))
      .find((style) => style.fill !== "none" && Number(style.fillOpacity) > 0.9 && Number(style.opacity) > 0.9);
    const ground = below ? below.fill : getComputedStyle(document.body).backgroundColor;
    const found = contrast(getComputedStyle(text).fill, ground);
    if (found < least) {
      wrong.push(`${text.closest("figure")?.id}: ${named(text)} has ${found.toFixed(2)} : 1 on ${ground}`);
    }
  }
  return wrong;
};

const isAcross = (table) => {
  for (let box = table; box; box = box.parentElement) {
    if (getComputedStyle(box).page !== "auto") {
      return true;
    }
  }
  return false;
};
const unprinted = async (across) => {
  await frame();
  const wrong = [];
  const ground = getComputedStyle(document.body).backgroundColor;
  if (ground !== "rgb(255, 255, 255)") {
    wrong.push(`printed on ${ground}`);
  }
  if (contrast(getComputedStyle(document.body).color, ground) < 7) {
    wrong.push("printed in a faint colour");
  }
  all("details").forEach((part) => {
    const hidden = [...part.children].filter((each) => !seen(each) || !each.getBoundingClientRect().height);
    if (hidden.length) {
      wrong.push(`${named(part)} stays folded`);
    }
  });
  const sheet = document.documentElement.clientWidth;
  for (const table of all("table").filter((each) => isAcross(each) === across)) {
    const cut = [];
    for (let box = table.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== "visible" && box.scrollWidth > box.clientWidth + 1) {
        cut.push(box);
      }
    }
    const right = table.getBoundingClientRect().right;
    if (cut.length || right > sheet + 1) {
      wrong.push(`${named(table)} reaches to ${Math.round(right)} on paper that is ${sheet} wide`);
    }
  }
  return wrong;
};

const moving = async () => {
  await frame();
  const some = (list) => list.split(",").some((each) => parseFloat(each) > 0.001);
  const wrong = all("*").filter((each) => {
    const style = getComputedStyle(each);
    const turns = style.animationName !== "none" && some(style.animationDuration);
    return turns || some(style.transitionDuration) || style.scrollBehavior === "smooth";
  });
  return [...wrong, ...all("animate, animateTransform, marquee, blink")].map(named);
};

const covering = async () => {
  await layOut();
  return all("table").filter((table) => {
    const region = table.parentElement;
    const stays = (style) => style.position === "sticky" && style.left !== "auto";
    const wide = (each) => stays(getComputedStyle(each)) && each.getBoundingClientRect().width > region.clientWidth / 2;
    return region.scrollWidth > region.clientWidth && all("th, td", table).some(wide);
  }).map(named);
};

const holds = () => {
  const made = "script, style, [role=status], .order";
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest(made)) {
      words.push(...walker.currentNode.data.split(/\s+/).filter(Boolean));
    }
  }
  all("svg, a").forEach((each) => { words.push(each.localName); });
  return words;
};

const focused = async () => {
  await frame();
  const element = document.activeElement;
  const end = element === document.body;
  if (end) {
    return { end, skips: false, wrong: "" };
  }
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const beside = box.right <= 0 || box.left >= window.innerWidth || box.bottom <= 0 || box.top >= window.innerHeight;
  const inView = box.width > 0 && box.height > 0 && !beside;
  const marked = parseFloat(style.outlineWidth) >= 2 && style.outlineStyle !== "none";
  const place = element.getAttribute("href");
  return {
    end,
    skips: Boolean(place?.startsWith("#") && document.querySelector("main")?.id === place.slice(1)),
    wrong: inView && marked ? "" : `${named(element)} is not seen to be focused`,
  };
};
