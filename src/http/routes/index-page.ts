import Negotiator from "negotiator";
import type { Member } from "../../store/store.ts";
import type { PathParts, Route } from "../contract.ts";
import { contentTag } from "../response/headers.ts";
import { jsonReply, type Reply } from "../response/reply.ts";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #30363d); --soft: light-dark(#57606a, #8b949e); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } p { color: var(--soft); margin: .25rem 0 2rem; }
table { width: 100%; border-collapse: collapse; } td, th { padding: .5rem 0; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 500; color: var(--soft); } .count { text-align: right; }
a { color: light-dark(#0969da, #58a6ff); text-decoration: none; } a:hover { text-decoration: underline; }
td { font-variant-numeric: tabular-nums; } .url { font-family: ui-monospace, monospace; font-size: .9em; }`;

/** `/`: what is served. A page for browsers, JSON for everyone else. */
export const indexRoute: Route<PathParts> = {
  GET: async (call, { store }): Promise<Reply> => {
    await store.refresh();
    const members = store.members();
    const accepts = new Negotiator(call).mediaType(["application/json", "text/html"]);
    if (accepts === "text/html") {
      const html = renderPage(members, call.prefix);
      return {
        status: 200,
        content: { type: "text/html; charset=utf-8", body: html },
        etag: contentTag(html),
        headers: { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'" },
      };
    }
    const entries = members.map(({ name, kind, count }) => ({
      name,
      kind,
      count,
      url: `${call.baseUrl}${pathOf(name)}`,
    }));
    const json = JSON.stringify({ name: "standin", serves: entries, database: `${call.baseUrl}/db` });
    return jsonReply(json, contentTag(json));
  },
};

function renderPage(members: readonly Member[], prefix: string): string {
  const rows = members.map(
    ({ name, kind, count }) =>
      `<tr><td><a class="url" href="${escapeHtml(prefix + pathOf(name))}">${escapeHtml(pathOf(name))}</a></td>` +
      `<td>${kind}</td><td class="count">${count}</td></tr>`,
  );
  const more = ["db", "stats", "health-check", "__rules"].map(
    (name) => `<a class="url" href="${escapeHtml(prefix)}/${name}">/${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>standin</title>
<style>${STYLE}</style></head>
<body>
<h1>standin</h1>
<p>A stand-in REST API is running here.</p>
<table>
<thead><tr><th>Address</th><th>Kind</th><th class="count">Records</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
<p>Also: ${more.join(" · ")}</p>
</body>
</html>
`;
}

function pathOf(name: string): string {
  return `/${encodeURIComponent(name)}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
