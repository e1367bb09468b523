import type { JsonObject } from "../../../src/base/json/json.ts";
import { PEOPLE, type UserName } from "./guarded-server.ts";

type Row = JsonObject & { readonly id: number };

/** Every kind of rule, one collection for each. */
export const ACCESS: JsonObject = {
  orders: { owner: "user_id", read: "owner", write: "owner", admin: "all" },
  lines: { owner: "user_id", read: "owner", write: "owner" },
  notes: { owner: "user_id", read: "_or=user_id={{user.id}}&_or=public=true", write: "owner" },
  products: { read: "anyone", write: "role:editor" },
  reports: { read: "role:editor", write: "role:editor" },
  teams: { read: "team={{user.team}}", write: "team={{user.claims.team}}" },
  drafts: { read: '_where={"and":[{"n":{"ne":4}},{"not":{"user_id":{"eq":"{{user.id}}"}}}]}', write: "role:admin" },
  typos: { read: "usr_id={{user.id}}", write: "anyone" },
  settings: { read: "role:editor", write: "role:admin" },
};

/** Texts that occur in one record each, so that any response tells which records it shows. */
export function canaryOf(collection: string, id: number): string {
  return `canary-${collection}-${id}-`;
}

const COLLECTIONS = [...Object.keys(ACCESS).filter((name) => name !== "settings"), "audits", "users"];

function rowsOf(collection: string): Row[] {
  return Array.from({ length: 6 }, (_, at) => ({
    id: at + 1,
    user_id: (at % 3) + 1,
    order_id: ((at + 2) % 6) + 1,
    n: (at * 7) % 5,
    team: at % 2 === 0 ? "red" : "blue",
    public: at === 4,
    text: canaryOf(collection, at + 1),
  }));
}

export const DATA: JsonObject = {
  ...Object.fromEntries(COLLECTIONS.map((name) => [name, rowsOf(name)])),
  settings: { theme: canaryOf("settings", 1) },
};

/** Whether a user may read a record: each rule once more, in plain words. */
export function mayRead(name: UserName, collection: string, row: JsonObject): boolean {
  const user = name === "nobody" ? undefined : PEOPLE[name];
  const isOwn = user !== undefined && String(row.user_id) === user.id;
  switch (collection) {
    case "orders":
      return isOwn || name === "admin";
    case "lines":
      return isOwn;
    case "notes":
      return isOwn || row.public === true;
    case "products":
      return true;
    case "reports":
    case "settings":
      return name === "bob";
    case "teams":
      return user !== undefined && row.team === user.claims.team;
    case "drafts":
      return user !== undefined && row.n !== 4 && !isOwn;
    case "users":
      return name === "admin" || String(row.id) === user?.id;
    case "typos":
      return false;
    default:
      return name === "admin";
  }
}

/** The data with the records alone that a user may read. */
export function visibleTo(name: UserName, data: JsonObject = DATA): JsonObject {
  const entries = Object.entries(data).flatMap(([member, value]) => {
    if (Array.isArray(value)) return [[member, value.filter((row) => mayRead(name, member, row as JsonObject))]];
    return mayRead(name, member, value as JsonObject) ? [[member, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** The canaries of all records that a user may not read. */
export function hiddenFrom(name: UserName): readonly string[] {
  const visible = JSON.stringify(visibleTo(name));
  return [...JSON.stringify(DATA).matchAll(/canary-\w+-\d+-/g)]
    .map(([text]) => text)
    .filter((text) => !visible.includes(text));
}

const IDS = [1, 2, 3, 4, 5, 6, 7];

/** Requests to one collection whose responses depend on nothing but the records. */
function readsOf(name: string): string[] {
  const parameters = [
    "",
    "?_page=1&_limit=2",
    "?_page=2&_limit=2",
    "?_start=1&_end=3",
    "?_limit=1",
    "?_sort=n&_order=desc",
    "?_sort=-n,id",
    "?_sort=text&_limit=2",
    "?q=canary",
    `?q=${canaryOf(name, 2)}`,
    "?user_id=2",
    "?user_id=1&user_id=2",
    "?n_gte=2",
    "?n_lte=2",
    "?n_ne=0",
    "?text_like=-[13]-",
    "?n:gt=1",
    "?id:in=1,2,3,4",
    "?team:!eq=red",
    "?text:contains=-5-",
    "?_or=n=0&_or=user_id=2",
    '?_where={"not":{"user_id":1}}',
    "?_fields=id,text",
    "?_per_page=2",
    "?_per_page=2&_page=2",
    "?_group=user_id",
    "?_group=team&_aggregate=count,sum:n,min:id,max:id",
    "?_aggregate=count,avg:n",
    "?_group=team&_having=count:gt=1",
    "?_after=&_limit=10",
    "?_after=&_limit=10&_sort=-n",
    "?_expand=order",
    "?_expand=user",
  ];
  return [...parameters.map((one) => `/${name}${one}`), ...IDS.map((id) => `/${name}/${id}`)];
}

const RELATED = [
  "/orders?_embed=lines",
  "/orders?_embed=lines&_expand=user",
  "/orders?_embed=notes,drafts,audits,typos",
  ...IDS.flatMap((id) => [
    `/orders/${id}?_embed=lines`,
    `/orders/${id}?_embed=notes&_expand=user`,
    `/lines/${id}?_expand=order`,
    `/orders/${id}/lines`,
    `/orders/${id}/notes?_sort=-n`,
    `/orders/${id}/audits`,
    `/users/${id}/orders`,
    `/users/${id}/teams?_group=team`,
  ]),
];

/** Requests whose responses must be those of a server that has the visible records alone. */
export const READS: readonly string[] = [
  ...COLLECTIONS.flatMap(readsOf),
  ...RELATED,
  "/db",
  "/stats",
  "/settings",
  "/",
];

/** Lists to be followed by their cursors to the end. */
export const CURSORS: readonly string[] = COLLECTIONS.flatMap((name) =>
  ["", "&_sort=-n", "&_sort=team,-id", "&n_gte=1", "&q=canary", "&_sort=n&_fields=id,n"].map(
    (more) => `/${name}?_after=&_limit=1${more}`,
  ),
);

/** Further requests that show data in some form: none of them may contain a canary of a hidden record. */
export const TELLING: readonly string[] = [
  "GET /llms.txt",
  "GET /__openapi.json",
  "GET /__types",
  "GET /__overview",
  "GET /__changes",
  "GET /__history",
  "GET /__history?collection=orders&id=2",
  "GET /__requests",
  "GET /__snapshots__",
  "GET /__sandboxes",
  "GET /__collections",
  "GET /__faults",
  "GET /health-check",
  "GET /nothing",
  "GET /orders/2/nothing",
  "GET /db?_at=0",
  "GET /orders?_at=0",
  "GET /__at/0/orders/2",
  "GET /__at/0/orders?_group=user_id",
  "GET /orders?callback=show",
  "HEAD /orders",
  "OPTIONS /orders",
  "GET /orders?nme=x",
];
