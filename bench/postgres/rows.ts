import type { LoadRequest } from "../requests.ts";

/** One kind of request, asked in many different ways. */
export interface PostgresRow {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  readonly isWriting?: boolean;
}

const VARIETY = 500;
const BATCH = 10;
type Random = (below: number) => number;

function varied(create: (random: Random) => LoadRequest): LoadRequest[] {
  let state = 7;
  const random: Random = (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: VARIETY }, () => create(random));
}

const get = (path: string): LoadRequest => ({ method: "GET", path });
const JSON_TYPE = { "Content-Type": "application/json" };

export function postgresRows(products: number, companies: number): PostgresRow[] {
  return [
    { name: "record by id", requests: varied((random) => get(`/products/${1 + random(products)}`)) },
    { name: "page of 20", requests: varied((random) => get(`/products?_page=${1 + random(1000)}&_limit=20`)) },
    {
      name: `equality filter, about ${Math.round(products / companies)} matches`,
      requests: varied((random) => get(`/products?company_id=${1 + random(companies)}`)),
    },
    {
      name: "sorted page of 20 on a declared index",
      requests: varied((random) => get(`/products?_sort=price&_page=${1 + random(1000)}&_limit=20`)),
    },
    {
      name: "range of about 100, page of 20",
      requests: varied((random) => {
        const from = 1 + random(990);
        const width = 100 / (products / 1000);
        return get(`/products?price_gte=${from}&price_lte=${(from + width).toFixed(2)}&_page=1&_limit=20`);
      }),
    },
    {
      name: "POST",
      isWriting: true,
      requests: varied((random) => ({
        method: "POST",
        path: "/products",
        headers: JSON_TYPE,
        body: JSON.stringify({
          name: `Steel hat ${random(1000)}`,
          price: random(100_000) / 100,
          company_id: 1 + random(companies),
        }),
      })),
    },
    {
      name: `batch of ${BATCH} POSTs`,
      isWriting: true,
      requests: varied((random) => ({
        method: "POST",
        path: "/__batch",
        headers: JSON_TYPE,
        body: JSON.stringify({
          requests: Array.from({ length: BATCH }, () => ({
            method: "POST",
            path: "/products",
            body: { name: `Steel hat ${random(1000)}`, price: random(1000), company_id: 1 + random(companies) },
          })),
        }),
      })),
    },
    {
      name: "PATCH",
      isWriting: true,
      requests: varied((random) => ({
        method: "PATCH",
        path: `/products/${1 + random(products)}`,
        headers: JSON_TYPE,
        body: JSON.stringify({ price: random(100_000) / 100 }),
      })),
    },
  ];
}
