/** What is measured. A new row of the table is a new entry here and nothing else. */
export interface Row {
  readonly name: string;
  /** The generated data each server starts from; every start gets a fresh copy. */
  readonly data: { readonly products: number; readonly companies: number };
  /** Many different ones, so that a cache of whole answers cannot flatter a server. */
  readonly requests: readonly LoadRequest[];
  /** What architecture asks for: a share of bare node:http, and how many times json-server. */
  readonly budget: { readonly ofBare?: number; readonly timesJsonServer?: number };
}

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const VARIETY = 500;
const SMALL = { products: 100, companies: 100 };
const LARGE = { products: 100_000, companies: 100 };

export const ROWS: readonly Row[] = [
  {
    name: "GET one record, 100 records",
    data: SMALL,
    requests: varied((random) => ({ method: "GET", path: `/products/${1 + random(SMALL.products)}` })),
    budget: { ofBare: 0.8, timesJsonServer: 10 },
  },
  {
    name: "page of 100 out of 100,000",
    data: LARGE,
    requests: varied((random) => ({ method: "GET", path: `/products?_page=${1 + random(1000)}&_limit=100` })),
    budget: { ofBare: 0.5, timesJsonServer: 300 },
  },
  {
    name: "POST, 100 records",
    data: SMALL,
    requests: varied((random) => ({
      method: "POST",
      path: "/products",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: `Hat ${random(1e6)}`, price: random(1e5) / 100, company_id: 1 + random(100) }),
    })),
    budget: { timesJsonServer: 8 },
  },
];

/** The same requests in every run: a small generator of our own instead of Math.random. */
function varied(create: (random: (below: number) => number) => LoadRequest): LoadRequest[] {
  let state = 1;
  const random = (below: number): number => {
    // Park and Miller's minimal standard generator.
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: VARIETY }, () => create(random));
}
