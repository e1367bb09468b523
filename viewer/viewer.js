/* The page at /__docs: asks this server for its description, and for a key where one is needed. */

/** The console keeps what it was given there, too; it ends with the tab. */
const PLACE = "standin-credentials";
/** Empty, or the sandbox that the page is opened in. */
const BASE = /^\/__sandbox\/[^/]+/.exec(location.pathname)?.[0] ?? "";
const form = document.getElementById("credentials");

for (const link of document.querySelectorAll("header a")) link.href = BASE + link.getAttribute("href");
void show(kept());

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = { apiKey: typedInto("key"), token: typedInto("token") };
  sessionStorage.setItem(PLACE, JSON.stringify(given));
  void show(given);
});

async function show(credentials) {
  const answer = await fetch(`${BASE}/__openapi.json`, { headers: headersFor(credentials) }).catch(() => undefined);
  const described = await answer?.json().catch(() => undefined);
  form.hidden = answer?.ok === true;
  if (!answer?.ok) {
    document.getElementById("reason").textContent = described?.message ?? "The server does not answer.";
    return;
  }
  const ui = window.SwaggerUIBundle({
    spec: described,
    domNode: document.getElementById("description"),
    // Addresses elsewhere are none of ours: no badge of a validator, no links that look for one.
    validatorUrl: null,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    plugins: [{ afterLoad: resolveWithoutOtherPaths }],
    onComplete: () => authorise(ui, described, credentials),
  });
}

/** To open one operation, the viewer would take in the whole document again: up to a second each time. */
function resolveWithoutOtherPaths({ fn }) {
  const { resolveSubtree } = fn;
  fn.resolveSubtree = (document, place, options) => {
    const [member, path] = place;
    const paths = member === "paths" ? { [path]: document.paths[path] } : {};
    return resolveSubtree({ ...document, paths }, place, options);
  };
}

/** What was typed in to see the page is what "try it out" sends. */
function authorise(ui, { components = {} }, { apiKey, token }) {
  for (const [name, { type }] of Object.entries(components.securitySchemes ?? {})) {
    const value = type === "apiKey" ? apiKey : token;
    if (value) ui.preauthorizeApiKey(name, value);
  }
}

function headersFor({ apiKey, token }) {
  return { ...(apiKey ? { "X-API-KEY": apiKey } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

function typedInto(id) {
  return document.getElementById(id).value.trim();
}
