/** Searches the pages of the site. They are read when somebody first searches: nothing else has to be kept up to date. */
const field = document.querySelector("#search");
const results = document.querySelector("#results");
const article = document.querySelector("article");
const MOST = 30;

let sections;

/** The text below each heading of all pages. */
async function readPages() {
  const links = [...document.querySelectorAll("nav a")];
  const pages = await Promise.all(links.map(async ({ href }) => [href, await (await fetch(href)).text()]));
  return pages.flatMap(([href, text]) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const anchor of page.querySelectorAll(".anchor")) anchor.remove();
    const title = page.querySelector("h1")?.textContent ?? "";
    const found = [];
    for (const element of page.querySelector("article").children) {
      if (/^H[1-6]$/.test(element.tagName)) {
        const heading = element.textContent.trim();
        found.push({ title, heading, href: `${href.split("#")[0]}#${element.id}`, text: "" });
      } else if (found.length > 0) found.at(-1).text += ` ${element.textContent}`;
    }
    return found;
  });
}

/** All words must be there; those in headings count most. */
function rank({ heading, title, text }, words) {
  const [inHeading, inTitle, inText] = [heading, title, text].map((one) => one.toLowerCase());
  let points = 0;
  for (const word of words) {
    if (inHeading.includes(word)) points += 10;
    else if (inTitle.includes(word)) points += 5;
    else if (inText.includes(word)) points += 1;
    else return 0;
  }
  return inHeading === words.join(" ") ? points + 20 : points;
}

function excerptOf(text, word) {
  const plain = text.replace(/\s+/g, " ").trim();
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - 60);
  return `${at > 0 ? "… " : ""}${plain.slice(at, at + 180)}${at + 180 < plain.length ? " …" : ""}`;
}

function itemOf({ heading, title, href, text }, [word]) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href, textContent: heading });
  const place = Object.assign(document.createElement("small"), { textContent: title === heading ? "" : ` ${title}` });
  const excerpt = Object.assign(document.createElement("p"), { textContent: excerptOf(text, word) });
  // A result on this page leaves the search, too.
  link.addEventListener("click", () => show(""));
  item.append(link, place, excerpt);
  return item;
}

async function show(wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  article.hidden = words.length > 0;
  results.hidden = words.length === 0;
  if (words.length === 0) return;
  sections ??= readPages();
  const all = await sections;
  if (field.value !== wanted) return;
  const found = all
    .map((section) => ({ section, points: rank(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points);
  const head = document.createElement("h1");
  head.textContent = found.length === 0 ? `Nothing found for "${wanted}"` : `${found.length} found for "${wanted}"`;
  const list = document.createElement("ol");
  list.append(...found.slice(0, MOST).map(({ section }) => itemOf(section, words)));
  results.replaceChildren(head, list);
}

field.addEventListener("input", () => show(field.value));
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});
