export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Many different requests of one kind, so that a cache of whole responses cannot flatter a server. */
const VARIETY = 500;
/** More different texts than the matches of any search are kept for. */
const UNSEEN = 2000;
type Random = (below: number) => number;

/** The same requests in every run: a small generator of our own instead of Math.random. */
function varied<T>(create: (random: Random) => T, count = VARIETY): T[] {
  let state = 1;
  const random: Random = (below) => {
    // Park and Miller's minimal standard generator.
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, () => create(random));
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

export const byCompany = (companies: number): LoadRequest[] =>
  varied((random) => get(`/products?company_id=${1 + random(companies)}`));

/** Prices are even from 1 to 1000, so a range of `width` is as many thousandths of them. */
export const byPrice = (width: number): LoadRequest[] =>
  varied((random) => {
    const from = 1 + random(999 - width);
    return get(`/products?price_gte=${from}&price_lte=${from + width}`);
  });

/** The end of a word and the start of the next one. */
const twoParts = (random: Random): string => {
  const [one, other] = [of(ADJECTIVES, random), of(MATERIALS, random)];
  return `${one.slice(random(one.length - 2))} ${other.slice(0, 2 + random(other.length - 1))}`;
};

export const byTwoWords = (): LoadRequest[] => varied((random) => get(`/products?q=${twoParts(random)}`), UNSEEN);

export const byPattern = (): LoadRequest[] =>
  varied((random) => {
    const [one, other] = [of(ADJECTIVES, random), of(THINGS, random)];
    return get(`/products?name_like=^${one.slice(0, 3 + random(6))}.*${other.slice(0, 3 + random(4))}`);
  }, UNSEEN);

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

/** The request as it goes over the wire, without `Accept-Encoding`. */
export function encodeRequest({ method, path, headers = {}, body }: LoadRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}
