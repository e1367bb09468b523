import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import { sendByExpress } from "../http/express/express-reply.ts";
import { NodeCall } from "../http/node/node-call.ts";
import type { Reply } from "../http/response/reply.ts";
import { DEFAULT_SETTINGS } from "../http/settings.ts";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
li { font-family: ui-monospace, monospace; } a { color: light-dark(#0969da, #58a6ff); }`;

/** Lists the collections, if a router is served beside the page and lets the browser in. */
const SCRIPT = `
fetch("__overview").then((response) => response.json()).then(({ members }) => {
  for (const { name } of members) {
    const link = document.createElement("a");
    link.href = encodeURIComponent(name);
    link.textContent = "/" + name;
    const row = document.createElement("li");
    row.append(link);
    document.querySelector("ul").append(row);
  }
}).catch(() => {});`;

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>standin</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style></head>
<body>
<h1>standin</h1>
<p>A custom server is running here.</p>
<ul></ul>
<p>To replace this page, create <code>./public/index.html</code>.</p>
<script>${SCRIPT}</script>
</body>
</html>
`;

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const POLICY =
  `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REPLY: Reply = {
  status: 200,
  content: { type: "text/html; charset=utf-8", body: PAGE },
  headers: {
    "Cache-Control": "public, max-age=0",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  },
};

/** 0.17.4: a project without a folder of static files has a page at `/`, in front of its own middlewares. It holds no data. */
export const homePage: RequestHandler = (req, res, next) => {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead || (req.path !== "/" && req.path !== "/index.html")) return next();
  sendByExpress(new NodeCall(req, res, DEFAULT_SETTINGS), REPLY, res).catch(next);
};
