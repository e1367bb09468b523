import { createHash } from "../../base/platform/crypto.ts";
import type { Reply } from "../../http/response/reply.ts";
import { escapeHtml } from "../../http/routes/plain-page.ts";
import { PAGE_STYLE } from "./page-style.ts";
import type { IssuedUser } from "./sign-in-users.ts";

export interface PageState {
  readonly search: string;
  /** The name of the user who was chosen; empty for none. */
  readonly chosen: string;
  readonly problem?: string;
}

interface PageFacts {
  readonly users: readonly IssuedUser[];
  readonly total: number;
  readonly state: PageState;
  readonly client: string;
  /** The parameters of the request, to be sent again. */
  readonly kept: readonly (readonly [string, string])[];
  readonly action: string;
}

/** Narrows the list while a name is typed; without it, Enter asks the server. */
const FILTER = `
const search = document.querySelector("[name=search]");
search?.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  for (const row of document.querySelectorAll("li")) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});`;
const FILTER_HASH = createHash("sha256").update(FILTER).digest("base64");
const STYLE_HASH = createHash("sha256").update(PAGE_STYLE).digest("base64");

/** The page of the issuer: a list of the users, each a button, and a password where the chosen user has one. */
export function whoAreYou({ users, total, state, client, kept, action }: PageFacts): Reply {
  const fields = kept.map(([name, value]) => hidden(name, value)).join("");
  const asked = users.find(({ name, password }) => name === state.chosen && password !== undefined);
  const problem = state.problem === undefined ? "" : `<p class="problem" role="alert">${escapeHtml(state.problem)}</p>`;
  const target = escapeHtml(action);
  const more =
    total > users.length ? `<p class="note">${users.length} of ${total} users. Search to find others.</p>` : "";
  const list =
    users.length === 0 ? `<p class="note">No user is found.</p>` : `<ul>${users.map(row).join("")}</ul>${more}`;
  const body = asked
    ? `<form method="post" action="${target}">${fields}${hidden("user", asked.name)}
<label for="password">Password of ${escapeHtml(asked.name)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button class="primary">Sign in</button></form>
<form method="get" action="${target}">${fields}<button class="plain">Somebody else</button></form>`
    : `<form method="get" action="${target}" role="search">${fields}<label for="search">Search</label>
<input id="search" name="search" type="search" value="${escapeHtml(state.search)}" autocomplete="off"></form>
<form method="post" action="${target}" aria-label="Users">${fields}${list}</form>`;
  const lead = `<p class="lead">Sign in to <strong>${escapeHtml(client)}</strong>.</p>`;
  return htmlPage("Who are you?", `${lead}${problem}${body}`, 200);
}

function row({ name, roles, password }: IssuedUser): string {
  const notes = [...roles, ...(password === undefined ? [] : ["password"])].join(", ");
  const note = notes === "" ? "" : `<small>${escapeHtml(notes)}</small>`;
  return `<li><button name="user" value="${escapeHtml(name)}"><span>${escapeHtml(name)}</span>${note}</button></li>`;
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}

/** For people in front of a browser: the client that sent them may not be told. */
export function errorPage(message: string): Reply {
  return htmlPage("This sign-in cannot go on", `<p class="problem" role="alert">${escapeHtml(message)}</p>`, 400);
}

export function signedOutPage(): Reply {
  return htmlPage("You are signed out", '<p class="lead">You can close this page.</p>', 200);
}

/** No page of another origin may frame it, so that nobody signs in by a click that was meant for something else. */
function htmlPage(title: string, body: string, status: number): Reply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${PAGE_STYLE}</style></head>
<body><main><p class="brand">standin</p><h1>${title}</h1>${body}
<p class="note">An issuer for development and tests, not for production.</p></main>
<script>${FILTER}</script></body></html>
`;
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; script-src 'sha256-${FILTER_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
  return {
    status,
    content: { type: "text/html; charset=utf-8", body: html },
    headers: {
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY",
    },
  };
}
