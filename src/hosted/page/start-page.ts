import { hash } from "node:crypto";
import type { ExampleEntry, MockEntry, OperationEntry } from "./index-of-mocks.ts";

/** A request of the traffic log, as far as the page shows it. */
export interface ShownRequest {
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface StartPageFacts {
  readonly mocks: readonly MockEntry[];
  readonly skipped: readonly string[];
  /** The latest requests, newest first; undefined where they are not kept, or not for the eyes of this client. */
  readonly requests: readonly ShownRequest[] | undefined;
}

/** Operations of a mock beyond this number are counted, not listed. */
const MAX_OPERATIONS = 1000;
const MAX_EXAMPLES = 20;
/** One mock with few operations is shown open. */
const MAX_OPEN = 100;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #30363d); --soft: light-dark(#57606a, #9198a1);
  --link: light-dark(#0550ae, #58a6ff); --raised: light-dark(#f6f8fa, #161b22); --bad: light-dark(#a40e26, #ff7b72); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2.5rem auto; padding: 0 1rem; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3); }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; } .soft { color: var(--soft); }
p { margin: .25rem 0; } a { color: var(--link); } .bad { color: var(--bad); }
code, .url { font-family: ui-monospace, monospace; font-size: .875em; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 500; color: var(--soft); } summary { cursor: pointer; }
.method { display: inline-block; min-width: 4.5rem; font: 600 .8rem ui-monospace, monospace; }
li { margin: .35rem 0; } ul.operations { list-style: none; padding: 0; } ul.operations > li { border-bottom: 1px solid var(--line); padding: .35rem 0; }
.call { display: block; background: var(--raised); padding: .35rem .6rem; border-radius: 6px; white-space: pre-wrap; }
.tag { font-size: .8rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; margin-left: .5rem; color: var(--soft); }`;

/** Nothing but the style above and an empty icon: no script, no resource, no frame around it. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page that browsers get at the root of a hosted server. */
export function renderStartPage({ mocks, skipped, requests }: StartPageFacts): string {
  const isAlone = mocks.length === 1;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>standin: hosted mocks</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style></head>
<body>
<header><h1>standin</h1>
<p class="soft">Fixed examples are served here. Nothing is stored.</p></header>
<main>
${mocks.map((mock, position) => renderMock(mock, `mock-${position}`, isAlone)).join("\n")}
${renderSkipped(skipped)}
${requests ? renderRequests(requests) : ""}
</main>
</body>
</html>
`;
}

function renderMock(mock: MockEntry, id: string, isAlone: boolean): string {
  const { name, source, access, problem, notes, operations } = mock;
  const title = name === "" ? "Examples" : `/${name}`;
  const lines = [
    `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}<span class="tag">${access}</span></h2>`,
    `<p class="soft">${escapeHtml(source)}</p>`,
  ];
  if (problem !== undefined) lines.push(`<p class="bad">Not served: ${escapeHtml(problem)}</p>`);
  for (const note of notes) lines.push(`<p class="soft">${escapeHtml(note)}</p>`);
  if (operations) lines.push(renderOperations(operations, isAlone && operations.length <= MAX_OPEN));
  else if (problem === undefined) lines.push("<p>Send its API key in the header <code>X-Api-Key</code>.</p>");
  return [...lines, "</section>"].join("\n");
}

function renderOperations(operations: readonly OperationEntry[], isOpen: boolean): string {
  const items = operations.slice(0, MAX_OPERATIONS).map(renderOperation);
  const more = operations.length - items.length;
  if (more > 0) items.push(`<li>and ${more} more</li>`);
  const list = `<ul class="operations">\n${items.join("\n")}\n</ul>`;
  return `<details${isOpen ? " open" : ""}><summary>${counted(operations.length, "operation")}</summary>\n${list}</details>`;
}

function renderOperation({ method, path, url, examples }: OperationEntry): string {
  const target = escapeHtml(new URL(url).pathname + new URL(url).search);
  const shown = `<span class="url">${escapeHtml(path)}</span>`;
  const link = method === "GET" && examples.length > 0 ? `<a href="${target}">${shown}</a>` : shown;
  const head = `<span class="method">${escapeHtml(method)}</span>${link}`;
  if (examples.length === 0) return `<li>${head} <span class="soft">no saved example</span></li>`;
  const items = examples.slice(0, MAX_EXAMPLES).map((example) => renderExample(example, method, url));
  const more = examples.length - items.length;
  if (more > 0) items.push(`<li>and ${more} more</li>`);
  return `<li>${head}<details><summary>${counted(examples.length, "example")}</summary><ul>\n${items.join("\n")}\n</ul></details></li>`;
}

function renderExample({ name, status, type }: ExampleEntry, method: string, url: string): string {
  const call = [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    ...["-H", quoted(`x-mock-response-code: ${status}`), "-H", quoted(`x-mock-response-name: ${name}`)],
    quoted(url),
  ].join(" ");
  return `<li>${status} ${escapeHtml(name)} <span class="soft">${escapeHtml(type ?? "")}</span><code class="call">${escapeHtml(call)}</code></li>`;
}

function renderSkipped(skipped: readonly string[]): string {
  if (skipped.length === 0) return "";
  const items = skipped.map((text) => `<li>${escapeHtml(text)}</li>`);
  return `<section aria-labelledby="skipped"><h2 id="skipped">Skipped files</h2><ul>${items.join("")}</ul></section>`;
}

function renderRequests(requests: readonly ShownRequest[]): string {
  const rows = requests.map(
    ({ time, method, url, status, durationMs }) =>
      `<tr><td>${escapeHtml(time.slice(11, 23))}</td><td>${escapeHtml(method)}</td><td class="url">${escapeHtml(url)}</td>` +
      `<td>${status}</td><td>${durationMs.toFixed(1)} ms</td></tr>`,
  );
  const table = `<div class="scroll"><table>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Method</th><th scope="col">URL</th><th scope="col">Status</th><th scope="col">Took</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table></div>`;
  return `<section aria-labelledby="requests"><h2 id="requests">Latest requests</h2>
${rows.length === 0 ? '<p class="soft">None yet.</p>' : table}
<p><a href="/">Reload</a> · <a href="/__requests">All of them as JSON</a> · <a href="/__console">Console</a></p></section>`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** One word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replace(/\p{Cc}/gu, " ")}'`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
