export interface LoadRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Many different requests of one kind, so that a cache of whole responses cannot flatter a server. */
const VARIETY = 500;
type Random = (below: number) => number;

/** The same requests in every run: a small generator of our own instead of Math.random. */
function varied(create: (random: Random) => LoadRequest): LoadRequest[] {
  let state = 1;
  const random: Random = (below) => {
    // Park and Miller's minimal standard generator.
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: VARIETY }, () => create(random));
}

function get(path: string): LoadRequest {
  return { method: "GET", path: encodeURI(path) };
}

/** Words of the generated names: adjective, material, thing. */
const ADJECTIVES = ["Handmade", "Electronic", "Practical", "Rustic", "Generic", "Awesome", "Licensed", "Ergonomic"];
const MATERIALS = ["Plastic", "Bronze", "Gold", "Wooden", "Bamboo", "Rubber", "Steel", "Marble", "Granite", "Silk"];
const THINGS = ["Bacon", "Computer", "Chair", "Mouse", "Chips", "Table", "Pizza", "Keyboard", "Hat", "Gloves"];
const of = (words: readonly string[], random: Random): string => words[random(words.length)]!;

export const oneOf = (records: number): LoadRequest[] => varied((random) => get(`/products/${1 + random(records)}`));

export const pages = (records: number, size: number, more = ""): LoadRequest[] =>
  varied((random) => get(`/products?_page=${1 + random(records / size)}&_limit=${size}${more}`));

export const onePath = (paths: readonly string[]): LoadRequest[] => varied((random) => get(of(paths, random)));

export const byCompany = (companies: number): LoadRequest[] =>
  varied((random) => get(`/products?company_id=${1 + random(companies)}`));

/** Prices are even from 1 to 1000, so a range of `width` is as many thousandths of them. */
export const byPrice = (width: number): LoadRequest[] =>
  varied((random) => {
    const from = 1 + random(999 - width);
    return get(`/products?price_gte=${from}&price_lte=${from + width}`);
  });

/** The same ranges by operators. */
export const byPriceBetween = (): LoadRequest[] =>
  varied((random) => {
    const from = 1 + random(998);
    return get(`/products?price:gt=${from}&price:lt=${from + 1}`);
  });

/** A hundred ids spread over all records. */
export const byIds = (records: number): LoadRequest[] =>
  varied((random) => get(`/products?id:in=${Array.from({ length: 100 }, () => 1 + random(records)).join(",")}`));

/** The same records, as 0.17 asks for them. */
export const byRepeatedId = (records: number): LoadRequest[] =>
  varied((random) => get(`/products?${Array.from({ length: 100 }, () => `id=${1 + random(records)}`).join("&")}`));

export const byEitherCompany = (companies: number): LoadRequest[] =>
  varied((random) =>
    get(`/products?_or=company_id=${1 + random(companies)}&_or=company_id:eq=${1 + random(companies)}`),
  );

/** A word that one record in fifteen has; of these all, or one of the first pages. */
export const byWord = (pages = 0): LoadRequest[] =>
  varied((random) => {
    const page = pages > 0 ? `&_page=${1 + random(pages)}&_limit=20` : "";
    return get(`/products?q=${of(MATERIALS, random)}${page}`);
  });

export const byTwoWords = (): LoadRequest[] =>
  varied((random) => get(`/products?q=${of(ADJECTIVES, random)} ${of(MATERIALS, random)}`));

export const byPatternWithWord = (pages: number): LoadRequest[] =>
  varied((random) => get(`/products?name_like=^${of(ADJECTIVES, random)}&_page=${1 + random(pages)}&_limit=20`));

export const byPatternWithWords = (): LoadRequest[] =>
  varied((random) => get(`/products?name_like=^${of(ADJECTIVES, random)}.*${of(THINGS, random)}`));

/** Nothing in it is a text that a match must contain. */
export const byPatternWithoutWords = (): LoadRequest[] =>
  varied((random) => {
    const letter = String.fromCharCode(65 + random(20));
    return get(`/products?name_like=^[${letter}-Z].{${8 + random(20)}}$&_limit=20`);
  });

export const newProducts = (companies: number): LoadRequest[] =>
  varied((random) => ({
    method: "POST",
    path: "/products",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: `${of(ADJECTIVES, random)} ${of(MATERIALS, random)} ${of(THINGS, random)}`,
      price: random(1e5) / 100,
      company_id: 1 + random(companies),
    }),
  }));

export function withHeader(requests: readonly LoadRequest[], name: string, value: string): LoadRequest[] {
  return requests.map((request) => ({ ...request, headers: { ...request.headers, [name]: value } }));
}

/** The same requests, each to one of this many sandboxes. */
export function inSandboxes(requests: readonly LoadRequest[], count: number): LoadRequest[] {
  return requests.map((request, at) => ({ ...request, headers: { "X-Standin-Sandbox": `s${at % count}` } }));
}

/** The request as it goes over the wire, without `Accept-Encoding`. */
export function encodeRequest({ method, path, headers = {}, body }: LoadRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}
