/** The current view, stored in the hash of the URL, so that every view has a link and the back button works. */
export type Route =
  | { readonly view: "overview" | "traffic" | "lab" | "record" | "hooks" | "agents" | "examples" }
  | {
      readonly view: "request";
      /** The request in the builder; empty for the last one. */
      readonly query: string;
    }
  | {
      readonly view: "snapshots";
      /** The one that is compared with the data, or with another one. */
      readonly snapshot?: string;
      readonly to?: string;
    }
  | {
      readonly view: "history";
      /** The one whose change is shown; undefined for the latest. */
      readonly version?: number;
      /** The collection and the origin that the list is limited to. */
      readonly query: string;
    }
  | {
      readonly view: "docs";
      /** The operation, or `schemas` and the name of one; empty for the first page. */
      readonly at: readonly string[];
    }
  | {
      readonly view: "data";
      /** Undefined: the first one. */
      readonly member: string | undefined;
      /** The record shown next to the list. */
      readonly record: { readonly kind: "none" | "new" } | { readonly kind: "id"; readonly id: string };
      /** The query string of the list, as the server understands it. */
      readonly query: string;
    };

const PLAIN_VIEWS = ["traffic", "lab", "snapshots", "record", "hooks", "agents", "examples"] as const;

/** Parses a hash; an unknown one is the overview. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#?\/?/, "");
  const mark = text.indexOf("?");
  const path = mark === -1 ? text : text.slice(0, mark);
  const query = mark === -1 ? "" : text.slice(mark + 1);
  const [view, ...at] = path.split("/").map(decode);
  const [member, id] = at;
  if (view === "snapshots" && member) return { view, snapshot: member, ...(id && { to: id }) };
  if (view === "history") return { view, ...(/^\d{1,15}$/.test(member ?? "") && { version: Number(member) }), query };
  if (view === "request") return { view, query };
  const plain = PLAIN_VIEWS.find((name) => name === view);
  if (plain) return { view: plain };
  if (view === "docs") return { view, at: at.filter((part) => part !== "") };
  if (view === "new" && member) return { view: "data", member, record: { kind: "new" }, query };
  if (view !== "data") return { view: "overview" };
  const record = id ? ({ kind: "id", id } as const) : ({ kind: "none" } as const);
  return { view, member: member || undefined, record, query };
}

/** The hash of a route; `parseRoute` reads it back. */
export function formatRoute(route: Route): string {
  if (route.view === "docs") return `#/${["docs", ...route.at.map(encodeURIComponent)].join("/")}`;
  if (route.view === "snapshots" && route.snapshot !== undefined) {
    const { snapshot, to = "" } = route;
    return `#/snapshots/${encodeURIComponent(snapshot)}${to === "" ? "" : `/${encodeURIComponent(to)}`}`;
  }
  if (route.view === "history") return historyHash(route);
  if (route.view === "request") return `#/request${route.query === "" ? "" : `?${route.query}`}`;
  if (route.view !== "data") return route.view === "overview" ? "#/" : `#/${route.view}`;
  const { member, record, query } = route;
  const first = record.kind === "new" ? "new" : "data";
  const parts = [first, member, record.kind === "id" ? record.id : undefined].filter((part) => part !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}${query === "" ? "" : `?${query}`}`;
}

function historyHash({ version, query }: Extract<Route, { view: "history" }>): string {
  return `#/history${version === undefined ? "" : `/${version}`}${query === "" ? "" : `?${query}`}`;
}

/** The list of a collection, perhaps filtered; of the first one unless told. */
export function listRoute(member: string | undefined, query = ""): Route {
  return { view: "data", member, record: { kind: "none" }, query };
}

/** One record next to its list. */
export function recordRoute(member: string, id: string, query = ""): Route {
  return { view: "data", member, record: { kind: "id", id }, query };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
