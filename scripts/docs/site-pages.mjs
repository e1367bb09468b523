/** The pages of the site, in reading order, and where links between them lead. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const START = "README.md";
const CONTENTS = "docs/README.md";

/** Every page with its title and the section of the navigation that it belongs to. */
export function pagesOf() {
  const listed = [...readFileSync(CONTENTS, "utf8").matchAll(/\]\((guide\/[\w-]+\.md)\)/g)].map(([, path]) => path);
  const guide = [...new Set(listed)].map((path) => `docs/${path}`);
  const reference = readdirSync("docs/reference")
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `docs/reference/${name}`);
  return [
    { section: "Start", path: START, title: "Overview" },
    ...guide.map((path) => pageAt(path, "Guide")),
    ...reference.map((path) => pageAt(path, "Reference")),
    ...["docs/migrate-from-json-server.md", "docs/performance.md"].map((path) => pageAt(path, "More")),
  ];
}

function pageAt(path, section) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
  return { section, path, title: title.replaceAll("`", "") };
}

/** The file of a page: all lie in one folder, so that every link is a name. */
export function fileOf(path) {
  if (path === START || path === CONTENTS || path === "docs/reference/README.md") return "index.html";
  return `${posix
    .relative("docs", path)
    .replace(/^guide\//, "")
    .replace("/", "-")
    .replace(/\.md$/, "")}.html`;
}

const files = new Set(pagesOf().map(({ path }) => fileOf(path)));

/** Where a link of a page leads in the site; undefined for files of the repository that are not part of it. */
export function targetOf(href, from) {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const target = posix.join(posix.dirname(from), path);
  if (!target.endsWith(".md") || !existsSync(target)) return undefined;
  const file = fileOf(target);
  return files.has(file) ? `${file}${anchor === undefined ? "" : `#${anchor}`}` : undefined;
}
