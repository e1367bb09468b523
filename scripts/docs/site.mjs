/**
 * Writes the guide and the reference as a static site that needs nothing from elsewhere: every server has it at
 * `/__guide`, and any static host can serve it. The folder may be given; it is `dist/guide` otherwise.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";
import { fileOf, pagesOf, targetOf } from "./site-pages.mjs";

const OUT = process.argv[2] ?? "dist/guide";
const PARTS = join(import.meta.dirname, "site");

const pages = pagesOf();
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const page of pages) writeFileSync(join(OUT, fileOf(page.path)), render(page));
for (const name of ["site.css", "search.js", "enter.html"]) cpSync(join(PARTS, name), join(OUT, name));
cpSync("docs/pictures/first-minute.svg", join(OUT, "first-minute.svg"));
cpSync("console/public/icon.svg", join(OUT, "icon.svg"));

function render({ path, title, section }) {
  const slugs = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text, slugs);
        const mark = depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>` : "";
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`;
      },
      // What is wider than the page scrolls by itself, by keys, too.
      code({ text, lang = "" }) {
        const [language, name] = lang.split(" ");
        const label = escapeHtml(name ?? language);
        return `<pre tabindex="0" role="group" aria-label="${label || "code"}"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="wide" tabindex="0" role="group" aria-label="table"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>\n${body}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(href, path);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      // Of the pictures, only the moving one is small enough to travel with the package.
      image: ({ href, text }) =>
        href.endsWith("first-minute.svg") ? `<img src="first-minute.svg" alt="${escapeHtml(text)}">` : "",
      html: ({ text }) => (/^<\/?(?:picture|source|img)/.test(text.trim()) ? "" : text),
    },
  });
  return layout({ path, title, section, content: marked.parse(readFileSync(path, "utf8")) });
}

function layout({ path, title, content }) {
  const sections = Map.groupBy?.(pages, (page) => page.section) ?? groupBySection();
  const navigation = [...sections]
    .map(([name, members]) => {
      const links = members.map(
        (page) =>
          `<li><a href="${fileOf(page.path)}"${page.path === path ? ' aria-current="page"' : ""}>${escapeHtml(page.title)}</a></li>`,
      );
      return `<h2>${name}</h2>\n<ul>\n${links.join("\n")}\n</ul>`;
    })
    .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · standin</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="site.css">
<script type="module" src="search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="home" href="index.html">standin</a>
<form role="search"><label for="search">Search</label> <input id="search" type="search" autocomplete="off" placeholder="Search the guide"></form>
</header>
<nav aria-label="Pages">
${navigation}
</nav>
<main id="content" tabindex="-1">
<section id="results" aria-live="polite" hidden></section>
<article>
${content}</article>
</main>
</body>
</html>
`;
}

/** For Node 20. */
function groupBySection() {
  const sections = new Map();
  for (const page of pages) sections.set(page.section, [...(sections.get(page.section) ?? []), page]);
  return sections;
}

/** The anchors that GitHub gives headings, because the pages link to those. */
function slugOf(text, slugs) {
  const plain = text
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = slugs.get(plain) ?? 0;
  slugs.set(plain, count + 1);
  return count === 0 ? plain : `${plain}-${count}`;
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
