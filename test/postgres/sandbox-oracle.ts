import { expect } from "vitest";
import { createStandin } from "../../src/index.ts";
import { type Answer, askAt } from "../support/api.ts";

type Random = (below: number) => number;

interface Request {
  readonly line: string;
  readonly body?: unknown;
  /** Of a route for all sandboxes: it is sent without a header. */
  readonly isOutside?: boolean;
}

/** The data that both sides begin with: a record without an id, ids that are texts, numbers that are no doubles. */
export function oracleData() {
  return {
    products: Array.from({ length: 30 }, (_, at) => ({
      id: at + 1,
      name: `Hat ${at % 7}`,
      price: at / 4,
      company_id: 1 + (at % 3),
    })),
    companies: [
      { id: 1, name: "Acme" },
      { id: 2, name: "Globex" },
      { id: 3, name: "Ünïcode \u{1F3A9}" },
      { name: "none" },
    ],
    tags: [
      { id: "a", label: "x" },
      { id: "b", label: null },
    ],
    settings: { theme: "light" },
  };
}

/** Sends the same random requests into a sandbox of data in memory, and in turns to processes on one database. */
export async function compareSandboxes(urls: readonly string[], steps: number, seed: number): Promise<void> {
  await using memory = await createStandin({ data: oracleData() });
  const random = randomFrom(seed);
  const sandbox = { "X-Standin-Sandbox": "ann" };
  for (let step = 0; step < steps; step++) {
    const { line, body, isOutside } = REQUESTS[random(REQUESTS.length)]!(random);
    const options = { body, headers: isOutside ? {} : sandbox };
    const expected = await askAt(memory.url, line, options);
    const given = await askAt(urls[random(urls.length)]!, line, options);
    expect(seen(given), `seed ${seed}, step ${step}: ${line} ${JSON.stringify(body)}`).toEqual(seen(expected));
  }
  const all = await askAt(memory.url, "GET /db", { headers: sandbox });
  for (const url of urls) expect((await askAt(url, "GET /db", { headers: sandbox })).text).toBe(all.text);
}

function seen({ status, headers, text }: Answer): unknown {
  const withoutHost = (name: string): string | undefined => headers.get(name)?.replace(/http:\/\/[^/]+/g, "");
  return [status, withoutOrigins(text), headers.get("x-total-count"), withoutHost("link"), withoutHost("location")];
}

const id = (random: Random): number => 1 + random(36);
const record = (random: Random): object => ({
  name: `New ${random(9)}`,
  price: random(40) / 4,
  company_id: 1 + random(4),
});

const REQUESTS: readonly ((random: Random) => Request)[] = [
  (random) => ({ line: "POST /products", body: record(random) }),
  (random) => ({ line: "POST /products", body: { ...record(random), id: id(random) } }),
  (random) => ({ line: `PUT /products/${id(random)}`, body: record(random) }),
  (random) => ({ line: `PATCH /products/${id(random)}`, body: { price: random(40) } }),
  (random) => ({ line: `DELETE /products/${id(random)}` }),
  (random) => ({ line: `DELETE /companies/${1 + random(3)}?_dependent=products` }),
  (random) => ({ line: "PATCH /settings", body: { theme: `t${random(3)}` } }),
  (random) => ({ line: `PATCH /tags/${"ab"[random(2)]}`, body: { label: `l${random(5)}` } }),
  (random) => ({
    line: "POST /__batch",
    body: {
      requests: [
        { method: "POST", path: "/companies", body: { name: `c${random(9)}` } },
        { method: "PATCH", path: `/products/${id(random)}`, body: { price: 1 } },
      ],
    },
  }),
  (random) => ({ line: "POST /__collections", body: { name: `own${random(2)}` } }),
  (random) => ({ line: `DELETE /__collections/own${random(2)}` }),
  (random) => ({ line: `POST /own${random(2)}`, body: { n: random(9) } }),
  (random) => ({ line: "POST /__sandboxes/ann/undo", body: { count: 1 + random(3) }, isOutside: true }),
  (random) => (random(6) === 0 ? { line: "POST /__reset" } : { line: "GET /products" }),
  (random) => ({ line: `GET /products?price_gte=${random(9)}&_sort=name,price&_page=${1 + random(3)}&_limit=5` }),
  (random) => ({ line: `GET /products?q=hat&company_id=${1 + random(3)}&_expand=company` }),
  (random) => ({ line: `GET /companies?_embed=products&_limit=${1 + random(4)}` }),
  (random) => ({ line: `GET /products/${id(random)}` }),
  () => ({ line: "GET /db" }),
  () => ({ line: "GET /__sandboxes/ann/changes", isOutside: true }),
];

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** The responses in a batch name the host, and versions that each store counts by itself. */
function withoutOrigins(text: string): string {
  return text.replaceAll(/http:\/\/[^/"]+/g, "").replaceAll(/"ETag":"\\"[^"]+\\""/g, '"ETag":""');
}
