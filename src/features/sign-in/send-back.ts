import { createHash } from "../../base/platform/crypto.ts";
import type { Reply } from "../../http/response/reply.ts";
import { escapeHtml } from "../../http/routes/plain-page.ts";

const SUBMIT = "document.forms[0].submit()";
const SUBMIT_HASH = createHash("sha256").update(SUBMIT).digest("base64");

/** Sends a browser back to a client, with parameters in the query, the fragment or a form. */
export function sendBack(
  address: string,
  mode: "query" | "fragment" | "form_post",
  parameters: Readonly<Record<string, string>>,
): Reply {
  const url = new URL(address);
  if (mode === "form_post") return selfSendingForm(url, parameters);
  if (mode === "fragment") url.hash = new URLSearchParams(parameters).toString();
  // In place of any that the address brings: a client must not meet two codes.
  else for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return {
    status: 303,
    headers: { Location: url.href, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  };
}

/** OAuth 2.0 Form Post Response Mode. The policy names the one script by its hash. */
function selfSendingForm(url: URL, parameters: Readonly<Record<string, string>>): Reply {
  const fields = Object.entries(parameters).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Signing in</title><link rel="icon" href="data:,"></head>
<body><form method="post" action="${escapeHtml(url.href)}">${fields.join("")}<noscript><button>Continue</button></noscript></form>
<script>${SUBMIT}</script></body></html>
`;
  return {
    status: 200,
    content: { type: "text/html; charset=utf-8", body: html },
    headers: {
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": `default-src 'none'; script-src 'sha256-${SUBMIT_HASH}'; img-src data:; base-uri 'none'`,
    },
  };
}
