import { contentTag } from "../response/headers.ts";
import type { Reply } from "../response/reply.ts";
import { PLAIN_STYLE } from "./plain-style.ts";

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
<link rel="icon" href="data:,">
<style>${PLAIN_STYLE}</style></head>
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
    headers: {
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'",
    },
  };
}

/** A link of a page; both are texts. */
export function plainLink(address: string, text: string): string {
  return `<a class="url" href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
