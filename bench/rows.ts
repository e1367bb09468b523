import { DOCUMENT_SETUP, documentPages } from "./document.ts";
import {
  examplesByPath,
  examplesByQuery,
  examplesWithQuery,
  fixedExamples,
  hostedSetup,
  WILDCARD_EXAMPLE,
} from "./hosted.ts";
import { newOrders, ORDER_RULES } from "./orders.ts";
import {
  byCompany,
  byContainedWords,
  byEitherCompany,
  byIds,
  byPartOfWord,
  byPatternWithoutWords,
  byPatternWithWord,
  byPatternWithWords,
  byPrice,
  byPriceBetween,
  byTwoWords,
  byTyping,
  byWord,
  envelopes,
  inSandboxes,
  type LoadRequest,
  newProducts,
  oneOf,
  pages,
  withHeader,
} from "./requests.ts";
import type { Data, ServerName, Setup } from "./servers.ts";

/** The rows of responses per second. A new row of that table is a new entry here and nothing else. */
export interface Row {
  readonly name: string;
  readonly data: Data;
  readonly requests: readonly LoadRequest[];
  /** The requests to standin without the setup, if they differ. */
  readonly plainRequests?: readonly LoadRequest[];
  readonly budget: Budget;
  /** Who is measured; without json-server where it takes minutes. */
  readonly servers?: readonly ServerName[];
  /** json-server takes up to a second for each: it gets fewer connections and no warming up. */
  readonly isSlow?: boolean;
  /** Longer than others warm up: a text index is built in the background first. */
  readonly warmUpSeconds?: number;
  /** More than others have: a difference of a few percent is smaller than the noise of three. */
  readonly rounds?: number;
  /** The requests change the data: every round starts the servers anew. */
  readonly isWriting?: boolean;
  readonly setup?: Setup;
  /** Part of a quick run. */
  readonly isQuick?: boolean;
}

/** The goal of a row. */
interface Budget {
  /** A share of bare node:http. */
  readonly ofBare?: number;
  /** A share of standin without the setup. */
  readonly ofPlain?: number;
  /** A multiple of json-server. */
  readonly timesJsonServer?: number;
  /** CPU time for one request. */
  readonly cpuMs?: number;
}

const SMALL = { products: 100, companies: 100 };
const MIDDLE = { products: 10_000, companies: 100 };
const LARGE = { products: 100_000, companies: 100 };
const MANY_COMPANIES = { products: 100_000, companies: 1000 };
const MILLION = { products: 1_000_000, companies: 100 };
const KEY = "bench-key-0123456789";

export const ROWS: readonly Row[] = [
  {
    name: "GET one record, 100 records",
    data: SMALL,
    requests: oneOf(SMALL.products),
    budget: { ofBare: 0.85 },
    isQuick: true,
  },
  {
    name: "GET one record, 100,000 records",
    data: LARGE,
    requests: oneOf(LARGE.products),
    budget: { ofBare: 0.85 },
  },
  {
    name: "GET one record, 1,000,000 records",
    data: MILLION,
    requests: oneOf(MILLION.products),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.85 },
  },
  {
    name: "page of 100 out of 100,000",
    data: LARGE,
    requests: pages(LARGE.products, 100),
    budget: { ofBare: 0.65 },
    isQuick: true,
  },
  {
    name: "equality filter, about 1,000 of 100,000",
    data: LARGE,
    requests: byCompany(LARGE.companies),
    budget: { ofBare: 0.65 },
  },
  {
    name: "equality filter, about 100 of 100,000",
    data: MANY_COMPANIES,
    requests: byCompany(MANY_COMPANIES.companies),
    budget: { ofBare: 0.65 },
    isQuick: true,
  },
  {
    name: "sort + random page of 20 out of 100",
    data: SMALL,
    requests: pages(SMALL.products, 20, "&_sort=price"),
    budget: { ofBare: 0.6 },
    isQuick: true,
  },
  {
    name: "sort + random page of 20 out of 100,000",
    data: LARGE,
    requests: pages(LARGE.products, 20, "&_sort=price"),
    budget: { ofBare: 0.6 },
    isSlow: true,
    isQuick: true,
  },
  {
    name: "sort + random page of 20 out of 1,000,000",
    data: MILLION,
    requests: pages(MILLION.products, 20, "&_sort=price"),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.6 },
  },
  {
    name: "range filter, about 20 of 100",
    data: SMALL,
    requests: byPrice(200),
    budget: { ofBare: 0.5 },
    isQuick: true,
  },
  {
    name: "range filter, about 100 of 100,000",
    data: LARGE,
    requests: byPrice(1),
    budget: { ofBare: 0.6 },
    isQuick: true,
  },
  {
    name: "range filter, about 100 of 1,000,000",
    data: MILLION,
    requests: byPrice(0.1),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.6 },
  },
  {
    name: "price:gt and price:lt, about 100 of 100,000",
    data: LARGE,
    requests: byPriceBetween(),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.6 },
  },
  {
    name: "id:in with 100 ids, 100,000 records",
    data: MANY_COMPANIES,
    requests: byIds(MANY_COMPANIES.products),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.4 },
  },
  {
    name: "_or of two equality filters, about 200 of 100,000",
    data: MANY_COMPANIES,
    requests: byEitherCompany(MANY_COMPANIES.companies),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.4 },
  },
  {
    name: "_fields of a page of 100 out of 100,000",
    data: LARGE,
    requests: pages(LARGE.products, 100, "&_fields=id,name,price"),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.45 },
  },
  {
    name: "page of 20 in an envelope out of 100,000",
    data: LARGE,
    requests: envelopes(LARGE.products, 20),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.6 },
  },
  {
    name: "q, one word, 100 records",
    data: SMALL,
    requests: byWord(),
    budget: { ofBare: 0.5 },
    isQuick: true,
  },
  {
    name: "q, part of a word, page of 20, 100,000 records",
    data: LARGE,
    requests: byPartOfWord(10),
    warmUpSeconds: 6,
    budget: { cpuMs: 0.3 },
    isSlow: true,
  },
  {
    name: "q, two words, 100,000 records",
    data: LARGE,
    requests: byTwoWords(),
    warmUpSeconds: 6,
    budget: { cpuMs: 0.3 },
    isSlow: true,
  },
  {
    name: "q, two words, page of 20, 100,000 records",
    data: LARGE,
    requests: byTwoWords("&_page=1&_limit=20"),
    warmUpSeconds: 6,
    servers: ["standin", "bare"],
    budget: { cpuMs: 0.3 },
  },
  {
    name: "q, a name typed letter by letter, 100,000 records",
    data: LARGE,
    requests: byTyping(),
    warmUpSeconds: 6,
    budget: { cpuMs: 0.3 },
    isSlow: true,
  },
  {
    name: "name:contains, two words, 100,000 records",
    data: LARGE,
    requests: byContainedWords(),
    warmUpSeconds: 6,
    servers: ["standin", "bare"],
    budget: { cpuMs: 0.5 },
  },
  {
    name: "_like with words, 100 records",
    data: SMALL,
    requests: byPatternWithWords(),
    budget: { ofBare: 0.5 },
    isQuick: true,
  },
  {
    name: "_like with one word, page of 20 out of thousands, 100,000 records",
    data: LARGE,
    requests: byPatternWithWord(10),
    warmUpSeconds: 6,
    budget: { cpuMs: 0.5 },
    isSlow: true,
  },
  {
    name: "_like with words, 100,000 records",
    data: LARGE,
    requests: byPatternWithWords(),
    warmUpSeconds: 6,
    budget: { cpuMs: 0.5 },
    isSlow: true,
  },
  {
    name: "_like without a literal, 100,000 records",
    data: LARGE,
    requests: byPatternWithoutWords(),
    budget: { timesJsonServer: 1 },
    isSlow: true,
  },
  {
    name: "POST, 100 records",
    data: SMALL,
    requests: newProducts(SMALL.companies),
    budget: { ofBare: 0.6 },
    isWriting: true,
    isQuick: true,
  },
  {
    name: "POST, 10,000 records",
    data: MIDDLE,
    requests: newProducts(MIDDLE.companies),
    budget: { ofBare: 0.6 },
    isWriting: true,
  },
  {
    name: "POST, 100,000 records",
    data: LARGE,
    requests: newProducts(LARGE.companies),
    budget: { ofBare: 0.6 },
    isSlow: true,
    isWriting: true,
  },
  {
    name: "POST, 1,000,000 records",
    data: MILLION,
    requests: newProducts(MILLION.companies),
    servers: ["standin", "bare"],
    budget: { ofBare: 0.6 },
    isWriting: true,
  },
  {
    name: "GET one record through api-key, rate-limit, cors",
    data: SMALL,
    requests: withHeader(oneOf(SMALL.products), "X-API-KEY", KEY),
    servers: ["standin", "bare", "plain"],
    setup: {
      standin: {
        middlewares: ["api-key", "rate-limit", "cors"],
        layers: {
          "api-key": { keys: [{ key: KEY, permissions: ["read"] }] },
          "rate-limit": { limit: 1_000_000_000, windowSeconds: 3600 },
        },
      },
    },
    budget: { ofPlain: 0.75 },
    isQuick: true,
  },
  {
    name: "GET one record, traffic log on",
    data: SMALL,
    requests: oneOf(SMALL.products),
    servers: ["standin", "bare", "plain"],
    setup: { standin: { traffic: 200 }, plain: { traffic: 0 } },
    budget: { ofPlain: 0.97 },
    rounds: 7,
    isQuick: true,
  },
  {
    name: "page of 100 out of 100,000, traffic log on",
    data: LARGE,
    requests: pages(LARGE.products, 100),
    servers: ["standin", "bare", "plain"],
    setup: { standin: { traffic: 200 }, plain: { traffic: 0 } },
    budget: { ofPlain: 0.97 },
    rounds: 7,
  },
  {
    name: "POST, 100 records, traffic log and events on",
    data: SMALL,
    requests: newProducts(SMALL.companies),
    servers: ["standin", "bare", "plain"],
    setup: { standin: { traffic: 200 }, plain: { "no-console": true } },
    budget: { ofPlain: 0.97 },
    rounds: 7,
    isWriting: true,
    // The cost of the log, not of compiling it: both sides start anew in each round.
    warmUpSeconds: 3,
  },
  {
    name: "POST, 100 records, history on",
    data: SMALL,
    requests: newProducts(SMALL.companies),
    servers: ["standin", "bare", "plain"],
    setup: { standin: { history: "1000" }, plain: { history: "off" } },
    budget: { ofPlain: 0.97 },
    rounds: 7,
    isWriting: true,
    warmUpSeconds: 3,
    isQuick: true,
  },
  {
    name: "POST, 100 records, rules of 20 properties",
    data: SMALL,
    requests: newOrders(),
    servers: ["standin", "bare", "plain"],
    setup: { standin: { rules: ORDER_RULES }, plain: {} },
    budget: { ofPlain: 0.8 },
    rounds: 5,
    isWriting: true,
    warmUpSeconds: 2,
  },
  {
    name: "GET one record in one of 100 sandboxes, 100,000 records",
    data: LARGE,
    requests: inSandboxes(oneOf(LARGE.products), 100),
    plainRequests: oneOf(LARGE.products),
    servers: ["standin", "bare", "plain"],
    budget: { ofPlain: 0.85 },
    isQuick: true,
  },
  {
    name: "page of 20 by an index in one of 100 sandboxes, 100,000 records",
    data: LARGE,
    requests: inSandboxes(pages(LARGE.products, 20, "&_sort=price"), 100),
    plainRequests: pages(LARGE.products, 20, "&_sort=price"),
    servers: ["standin", "bare", "plain"],
    budget: { ofPlain: 0.85 },
  },
  {
    name: "GET one record through an interceptor",
    data: SMALL,
    requests: oneOf(SMALL.products),
    setup: {
      files: {
        "stamp.cjs": "module.exports = (req, res, next) => { res.setHeader('X-Stamp', req.method); next(); };\n",
      },
      standin: { middlewares: ["./stamp.cjs"] },
      jsonServer: ["--middlewares", "./stamp.cjs"],
    },
    budget: { timesJsonServer: 2 },
  },
  {
    name: "document: GET one record, 100 records",
    data: SMALL,
    requests: oneOf(SMALL.products),
    servers: ["standin", "bare", "plain"],
    setup: DOCUMENT_SETUP,
    budget: { ofPlain: 0.75 },
    rounds: 5,
    isQuick: true,
  },
  {
    name: "document: page of 20 in an envelope, 10,000 records",
    data: MIDDLE,
    requests: documentPages(MIDDLE.products, 20),
    servers: ["standin", "bare"],
    setup: DOCUMENT_SETUP,
    budget: { ofBare: 0.5 },
    rounds: 5,
    isQuick: true,
  },
  {
    name: "hosted: fixed example, 10 loaded",
    data: SMALL,
    requests: examplesByPath(10),
    servers: ["standin", "bare"],
    setup: hostedSetup(fixedExamples(10)),
    budget: { ofBare: 0.7 },
  },
  {
    name: "hosted: fixed example, 1,000 loaded",
    data: SMALL,
    requests: examplesByPath(1000),
    servers: ["standin", "bare"],
    setup: hostedSetup(fixedExamples(1000)),
    budget: { ofBare: 0.7 },
    isQuick: true,
  },
  {
    name: "hosted: told apart by query, 1,000 on one path",
    data: SMALL,
    requests: examplesByQuery(1000),
    servers: ["standin", "bare"],
    setup: hostedSetup(examplesWithQuery(1000)),
    budget: { ofBare: 0.7 },
  },
  {
    name: "hosted: wildcard and captured value, 1,000 loaded",
    data: SMALL,
    requests: examplesByPath(1000, "/details"),
    servers: ["standin", "bare"],
    setup: hostedSetup([...fixedExamples(999), WILDCARD_EXAMPLE]),
    budget: { ofBare: 0.7 },
  },
];
