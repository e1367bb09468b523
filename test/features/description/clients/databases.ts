import type { JsonObject } from "../../../../src/base/json/json.ts";
import { ODD_DATABASES } from "../../../support/odd-databases.ts";
import { COLLECTIONS, DATA, RULES } from "../../../support/rules-in-every-form.ts";

/** Data to write a client for, and what the config file says about it. */
export interface Given {
  readonly data: JsonObject;
  readonly rules?: JsonObject;
  readonly collections?: JsonObject;
}

/** Fields of every kind, a key of its own, relations by texts, and a singleton. New with every call. */
export function shopData(): JsonObject {
  return {
    products: [
      product(1, "Clay Pot", 12.75, "kiln", ["red", "big"], null),
      product(2, "Clay Mug", 8.45, "kiln", ["red"], "2026-05-01T09:30:00Z"),
      product(3, "Oat Biscuits", 3.85, "field", [], null),
      product(4, "Wild Honey", 9.45, "field", ["sweet"], null),
      product(5, "Steel Rule", 14.35, "tide", ["big"], "2026-06-01T09:30:00Z"),
    ],
    companies: [
      {
        id: "kiln",
        name: "Blue Kiln Ceramics",
        headquarter: { lat: 45.5, lon: -122.7 },
        locations: [{ city: "Rome" }],
      },
      { id: "field", name: "Long Field Foods", headquarter: { lat: 36.7, lon: -119.8 }, locations: [{ city: "Bari" }] },
      { id: "tide", name: "Tidewater Tools", headquarter: { lat: 36.9, lon: -76.3 }, locations: [] },
    ],
    "order-lines": [{ sku: "a/1", count: 1, created_at: "2026-05-01T09:30:00Z", state: "open" }],
    settings: { currency: "EUR", decimals: 2 },
  };
}

/** The settings of the server, in the config file of the command as well. */
export const SHOP_COLLECTIONS = {
  "order-lines": { idKey: "sku", timestamps: { created: "created_at" }, defaults: { state: "open" } },
} as const;

/** Whose names are keywords, begin with a digit, are no identifiers, belong to the client, or become the same. */
export const ODD_NAMES: JsonObject = {
  class: [{ id: 1, new: true, event: "x", "1st": 1, "a-b": 2, aB: 3, a_b: 4, "": 5 }],
  "2nd": [{ id: "a" }],
  产品: [{ id: "一", 名: "甲" }],
  "a b/c?d#e": [{ id: "x/y" }],
  "order-lines": [{ id: 1 }],
  "order lines": [{ id: 2 }],
  constructor: [{ id: 1 }],
  inSandbox: [{ id: 1 }],
  RemoveSandboxAsync: [{ id: 1 }],
  empty: [],
  bare: [{}, {}],
  mixed: [
    { id: 1, value: 1 },
    { id: "two", value: "x" },
    { id: 3.5, value: [{ deep: null }] },
  ],
  promise: { kept: "later" },
  tasks: [{ id: 1, task: { id: 1, task: { task: true } }, size: { guid: { uri: "x" } } }],
  types: [{ id: 1, finalize: 1, referenceEquals: 2, equals: 3, getType: 4, self: { self: 1 } }],
};

/** The names that clients declare, and those they use of TypeScript and .NET. */
const TYPE_NAMES = [
  ...["AbortSignal", "AsyncGenerator", "Exclude", "Extract", "Partial", "Pick", "Promise", "PropertyKey", "Readonly"],
  ...["Record", "Error", "Array", "Response", "Request", "Headers", "JSON", "Object", "Reflect", "WeakMap", "Number"],
  ...["StandinClient", "StandinCollection", "StandinConnection", "StandinQuery", "StandinWhere", "StandinField"],
  ...["Task", "CancellationToken", "HttpClient", "HttpMethod", "Dictionary", "Func", "Regex", "Encoding", "Convert"],
  ...["Http", "System", "Uri", "Guid", "IDisposable", "EnumMember", "JsonSerializer", "Exception", "Type", "Enum"],
];

/** By what is special about each. */
const SHA256 = "a".repeat(64);
const FILE = { name: "hat.png", type: "image/png", size: 70, sha256: SHA256, url: `/__files/${SHA256}/hat.png` };

export const DATABASES: Readonly<Record<string, Given>> = {
  shop: { data: shopData(), collections: SHOP_COLLECTIONS },
  "rules in every form": { data: DATA(), rules: RULES, collections: COLLECTIONS },
  "odd names": { data: ODD_NAMES },
  "names of types": {
    data: Object.fromEntries(TYPE_NAMES.map((name) => [name, [{ id: 1, [name]: { [name]: [1] } }]])),
  },
  files: { data: { products: [{ id: 1, name: "Hat", photo: FILE, manuals: [FILE] }], blobs: [{ id: 1 }] } },
  "nothing at all": { data: {} },
  ...(process.env.STANDIN_SOAK ? odd() : {}),
};

/** Large ones among them: for the soak alone. */
function odd(): Record<string, Given> {
  return Object.fromEntries(Object.entries(ODD_DATABASES).map(([name, data]) => [name, { data }]));
}

function product(
  id: number,
  name: string,
  price: number,
  company_id: string,
  tags: readonly string[],
  sold_at: string | null,
): JsonObject {
  return { id, name, price, company_id, tags: [...tags], sold_at };
}
