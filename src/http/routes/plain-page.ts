import { contentTag } from "../response/headers.ts";
import type { Reply } from "../response/reply.ts";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #30363d); --soft: light-dark(#57606a, #8b949e); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } p { color: var(--soft); margin: .25rem 0 2rem; }
table { width: 100%; border-collapse: collapse; } td, th { padding: .5rem 0; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 500; color: var(--soft); } .count { text-align: right; }
a { color: light-dark(#0969da, #58a6ff); text-decoration: none; } a:hover { text-decoration: underline; }
td { font-variant-numeric: tabular-nums; } .url { font-family: ui-monospace, monospace; font-size: .9em; }`;

interface PlainPage {
  readonly lead: string;
  /** Everything below as HTML. */
  readonly head: string;
  readonly rows: readonly string[];
  readonly end?: string;
}

/** A page that needs no script: one table. */
export function plainPage({ lead, head, rows, end = "" }: PlainPage): Reply {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>standin</title>
<style>${STYLE}</style></head>
<body>
<h1>standin</h1>
<p>${lead}</p>
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${end}</body>
</html>
`;
  return {
    status: 200,
    content: { type: "text/html; charset=utf-8", body: html },
    etag: contentTag(html),
    headers: { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'" },
  };
}

/** A link of a page; both are texts. */
export function plainLink(address: string, text: string): string {
  return `<a class="url" href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
