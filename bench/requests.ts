export interface LoadRequest {
  readonly method: "GET" | "POST" | "PATCH";
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

/** Pages as json-server 1 has them: with the numbers of pages and records around the records. */
export const envelopes = (records: number, size: number): LoadRequest[] =>
  varied((random) => get(`/products?_page=${1 + random(records / size)}&_per_page=${size}`));

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

export const byEitherCompany = (companies: number): LoadRequest[] =>
  varied((random) =>
    get(`/products?_or=company_id=${1 + random(companies)}&_or=company_id:eq=${1 + random(companies)}`),
  );

/** A word that one record in fifteen has. */
export const byWord = (): LoadRequest[] => varied((random) => get(`/products?q=${of(MATERIALS, random)}`));

const WORDS = [...ADJECTIVES, ...MATERIALS, ...THINGS];

/** A part of a word or of a number; one of the first pages of its matches. */
export const byPartOfWord = (pages: number): LoadRequest[] =>
  varied((random) => {
    const word = random(2) > 0 ? of(WORDS, random) : String(10_000 + random(90_000));
    const from = random(word.length - 2);
    const part = word.slice(from, from + 3 + random(word.length - from - 2));
    return get(`/products?q=${part}&_page=${1 + random(pages)}&_limit=20`);
  }, UNSEEN);

/** The end of a word and the start of the next one. */
const twoParts = (random: Random): string => {
  const [one, other] = [of(ADJECTIVES, random), of(MATERIALS, random)];
  return `${one.slice(random(one.length - 2))} ${other.slice(0, 2 + random(other.length - 1))}`;
};

export const byTwoWords = (more = ""): LoadRequest[] =>
  varied((random) => get(`/products?q=${twoParts(random)}${more}`), UNSEEN);

export const byContainedWords = (): LoadRequest[] =>
  varied((random) => get(`/products?name:contains=${twoParts(random)}`), UNSEEN);

/** What an input field asks for while someone types a name. */
export const byTyping = (): LoadRequest[] =>
  varied((random) => `${of(ADJECTIVES, random)} ${of(MATERIALS, random)} ${of(THINGS, random)}`, UNSEEN / 20).flatMap(
    (name) => Array.from(name, (_, at) => get(`/products?q=${name.slice(0, at + 1)}&_page=1&_limit=20`)),
  );

export const byPatternWithWord = (pages: number): LoadRequest[] =>
  varied((random) => {
    const word = of(ADJECTIVES, random);
    const part = word.slice(0, 2 + random(word.length - 1));
    return get(`/products?name_like=^${part}&_page=${1 + random(pages)}&_limit=20`);
  }, UNSEEN);

export const byPatternWithWords = (): LoadRequest[] =>
  varied((random) => {
    const [one, other] = [of(ADJECTIVES, random), of(THINGS, random)];
    return get(`/products?name_like=^${one.slice(0, 3 + random(6))}.*${other.slice(0, 3 + random(4))}`);
  }, UNSEEN);

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
