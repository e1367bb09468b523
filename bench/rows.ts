import { byCompany, byPattern, byPrice, byTwoWords, type LoadRequest, newProducts, oneOf, pages } from "./requests.ts";
import type { Data, ServerName } from "./servers.ts";

/** The rows of responses per second. A new row of that table is a new entry here and nothing else. */
export interface Row {
  readonly name: string;
  readonly data: Data;
  readonly requests: readonly LoadRequest[];
  readonly budget: Budget;
  /** Who is measured; without json-server where it takes minutes. */
  readonly servers?: readonly ServerName[];
  /** json-server takes up to a second for each: it gets fewer connections and no warming up. */
  readonly isSlow?: boolean;
  /** Longer than others warm up: a text index is built in the background first. */
  readonly warmUpSeconds?: number;
  /** The requests change the data: every round starts the servers anew. */
  readonly isWriting?: boolean;
  /** The config file of standin. */
  readonly config?: object;
  /** Part of a quick run. */
  readonly isQuick?: boolean;
}

/** The goal of a row. */
interface Budget {
  /** A share of bare node:http. */
  readonly ofBare?: number;
  /** A multiple of json-server. */
  readonly timesJsonServer?: number;
  /** CPU time for one request. */
  readonly cpuMs?: number;
}

const SMALL = { products: 100, companies: 100 };
const LARGE = { products: 100_000, companies: 1000 };
const RECORD: Budget = { ofBare: 0.75, timesJsonServer: 6 };
const LIST: Budget = { ofBare: 0.6 };
const ORDERED: Budget = { ofBare: 0.4 };
const SEARCH: Budget = { cpuMs: 3 };
const WRITE: Budget = { ofBare: 0.45, timesJsonServer: 15 };
const WITHOUT_JSON_SERVER = { servers: ["standin", "bare"] } as const;

export const ROWS: readonly Row[] = [
  { name: "GET one record, 100 records", data: SMALL, requests: oneOf(100), budget: RECORD, isQuick: true },
  {
    name: "GET one record, 100 records, in memory",
    data: SMALL,
    requests: oneOf(100),
    budget: RECORD,
    config: { memory: true },
  },
  { name: "GET one record, 100,000 records", data: LARGE, requests: oneOf(100_000), budget: RECORD, isQuick: true },
  { name: "page of 100 of 100", data: SMALL, requests: pages(100, 100), budget: LIST },
  { name: "page of 100 of 100,000", data: LARGE, requests: pages(100_000, 100), budget: LIST, isQuick: true },
  { name: "equality, about 100 of 100,000", data: LARGE, requests: byCompany(1000), budget: LIST, isQuick: true },
  { name: "sorted page of 20 of 100", data: SMALL, requests: pages(100, 20, "&_sort=price"), budget: ORDERED },
  {
    name: "sorted page of 20 of 100,000",
    data: LARGE,
    requests: pages(100_000, 20, "&_sort=price"),
    budget: ORDERED,
    isSlow: true,
    isQuick: true,
  },
  { name: "range, about 20 of 100", data: SMALL, requests: byPrice(200), budget: ORDERED },
  { name: "range, about 100 of 100,000", data: LARGE, requests: byPrice(1), budget: ORDERED, isQuick: true },
  {
    name: "q, two unseen parts of words, 100,000 records",
    data: LARGE,
    requests: byTwoWords(),
    budget: SEARCH,
    warmUpSeconds: 6,
    isQuick: true,
    ...WITHOUT_JSON_SERVER,
  },
  {
    name: "_like, an unseen pattern, 100,000 records",
    data: LARGE,
    requests: byPattern(),
    budget: SEARCH,
    warmUpSeconds: 6,
    isQuick: true,
    ...WITHOUT_JSON_SERVER,
  },
  {
    name: "POST, 100 records",
    data: SMALL,
    requests: newProducts(100),
    budget: WRITE,
    isWriting: true,
    isQuick: true,
  },
  {
    name: "POST, 100 records, in memory",
    data: SMALL,
    requests: newProducts(100),
    budget: WRITE,
    isWriting: true,
    config: { memory: true },
  },
  {
    name: "POST, 100,000 records",
    data: LARGE,
    requests: newProducts(1000),
    budget: WRITE,
    isSlow: true,
    isWriting: true,
  },
];
