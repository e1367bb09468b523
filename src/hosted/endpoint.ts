import Negotiator from "negotiator";
import type { Call } from "../http/call.ts";
import { bareType } from "../openapi/check/media-types.ts";
import type { PathTemplate } from "../openapi/read/path-template.ts";
import type { Parameters } from "../query/parameters.ts";
import type { Captures } from "./body-template.ts";
import { type Example, isSuccess, wildcardsOf } from "./example.ts";
import type { Wishes } from "./preferred-example.ts";
import { type HostedReply, type PreparedResponse, prepareResponse } from "./prepare.ts";

/** Longer bodies are compared letter by letter: a request must not be able to keep the server busy. */
const MAX_PARSED = 100_000;

/** An example whose response is prepared when it is sent first: a document may have thousands. */
class Candidate {
  readonly example: Example;
  /** In comparable form. */
  readonly body: string | undefined;
  readonly #hasCors: boolean;
  #prepared: PreparedResponse | undefined;

  constructor(example: Example, hasCors: boolean) {
    const { body } = example.request;
    this.example = example;
    this.body = body === undefined ? undefined : canonicalBody(body);
    this.#hasCors = hasCors;
  }

  respond(captures: Captures | undefined, status: number): HostedReply {
    const { request, response } = this.example;
    this.#prepared ??= prepareResponse(response, wildcardsOf(request), this.#hasCors);
    return this.#prepared(captures, status);
  }
}

interface Asked {
  /** In comparable form; undefined where it does not matter. */
  readonly body: string | undefined;
  /** The media types that the client accepts. */
  readonly accept: string | undefined;
}

interface Choice {
  readonly candidate: Candidate;
  readonly status: number;
}

/** Text that needs no escape in an address. */
const PLAIN = /^[\w.~-]+$/;

/** All examples of one method and one shape of path, the best ones first. */
export class Endpoint {
  readonly method: string;
  readonly path: PathTemplate;
  readonly #candidates: readonly Candidate[];
  /** The response to requests without preferences. */
  readonly #plain: Candidate;
  /** By a whole query string: no example can fit better than one that has just these parameters. */
  readonly #byQuery = new Map<string, Candidate>();
  /** The same by the query string as most clients write it, which saves reading it. */
  readonly #bySearch = new Map<string, Candidate>();
  readonly #hasQueries: boolean;
  readonly #hasSeveralTypes: boolean;
  /** Whether a stream of events is one of several types. */
  readonly hasStream: boolean;

  constructor(examples: readonly Example[], hasCors: boolean) {
    const [{ request }] = examples as [Example, ...Example[]];
    this.method = request.method;
    this.path = request.path;
    // Successes first, else in the order of the source.
    const ordered = [...examples].sort((a, b) => failure(a) - failure(b));
    this.#candidates = ordered.map((example) => new Candidate(example, hasCors));
    this.#plain = this.#byBestQuery(this.#candidates, new Map());
    for (const candidate of this.#candidates) {
      const { query } = candidate.example.request;
      if (query.length === 0 || query.some(({ wildcard }) => wildcard !== undefined)) continue;
      const key = queryKey(query.map(({ name, value }) => [name, value]));
      if (this.#byQuery.has(key)) continue;
      this.#byQuery.set(key, candidate);
      if (query.every(({ name, value }) => PLAIN.test(name) && PLAIN.test(value))) {
        this.#bySearch.set(query.map(({ name, value }) => `${name}=${value}`).join("&"), candidate);
      }
    }
    this.#hasQueries = ordered.some(({ request: { query } }) => query.length > 0);
    const types = new Set(ordered.map(({ response }) => bareType(response.type)));
    this.#hasSeveralTypes = types.size > 1;
    this.hasStream = types.size > 1 && types.has("text/event-stream");
  }

  get examples(): readonly Example[] {
    return this.#candidates.map(({ example }) => example);
  }

  /** The example for requests without preferences. */
  get usual(): Example {
    return this.#plain.example;
  }

  /** The example that fits best; undefined when a wish rules all of them out. */
  choose(call: Call, wishes: Wishes | undefined, asked: Asked): Choice | undefined {
    if (wishes) return this.#chooseByWishes(call, wishes, asked);
    const best = this.#withQuery(call);
    return chosen(this.#hasSeveralTypes ? this.#byType(this.#candidates, best, asked) : best);
  }

  /** The path is settled, so that parameters only rank. */
  #withQuery(call: Call): Candidate {
    const { search } = call.target;
    if (search === "" || !this.#hasQueries) return this.#plain;
    const known = this.#bySearch.get(search);
    if (known) return known;
    const { parameters } = call;
    const pairs = [...parameters].flatMap(([name, values]) => values.map((value) => [name, value] as const));
    return this.#byQuery.get(queryKey(pairs)) ?? this.#byBestQuery(this.#candidates, parameters);
  }

  #chooseByWishes(call: Call, wishes: Wishes, asked: Asked): Choice | undefined {
    const { body, accept } = asked;
    let pool: readonly Candidate[] = this.#candidates.filter(
      ({ example }) => wishProblem(example, wishes) === undefined,
    );
    if (wishes.matchesBody) pool = pool.filter((candidate) => candidate.body === body);
    // An exact code wins over a range that holds it, and a narrow range over a wide one.
    if (wishes.code !== undefined) {
      const narrowest = pool.reduce((least, { example }) => Math.min(least, rangeWidth(example)), Infinity);
      pool = pool.filter(({ example }) => rangeWidth(example) === narrowest);
    }
    if (pool.length === 0) return undefined;
    if (wishes.preferred !== undefined) pool = preferredIn(pool, wishes.preferred, accept);
    if (pool.length === 0) {
      // As in Prism: a response without the example gives way to the usual one.
      return wishes.code === undefined ? undefined : this.#chooseByWishes(call, { ...wishes, code: undefined }, asked);
    }
    const best = this.#byBestQuery(pool, call.parameters);
    return chosen(this.#hasSeveralTypes ? this.#byType(pool, best, asked) : best, wishes.code);
  }

  #byBestQuery(pool: readonly Candidate[], parameters: Parameters): Candidate {
    let best = pool[0]!;
    let bestScore = queryScore(best.example, parameters);
    for (const candidate of pool) {
      const score = queryScore(candidate.example, parameters);
      if (score > bestScore) [best, bestScore] = [candidate, score];
    }
    return best;
  }

  /** Of one response in several media types, the one that the client likes best, or JSON. */
  #byType(pool: readonly Candidate[], best: Candidate, { accept }: Asked): Candidate {
    const { request, response } = best.example;
    const same = pool.filter(
      ({ example }) =>
        example.response.status === response.status &&
        example.response.range === response.range &&
        hasSameQuery(example, request.query),
    );
    const types = [...new Set(same.map(({ example }) => bareType(example.response.type)))];
    if (types.length < 2) return best;
    const wanted = preferredType(types, accept);
    return same.find(({ example }) => bareType(example.response.type) === wanted) ?? best;
  }
}

function chosen(candidate: Candidate, code?: number): Choice {
  const { status, range } = candidate.example.response;
  return { candidate, status: code !== undefined && range ? code : status };
}

function failure({ response }: Example): number {
  return isSuccess(response.status) ? 0 : 1;
}

/** Why an example does not fit the request; undefined if it does. The body is compared elsewhere. */
export function wishProblem({ name, id, request, response }: Example, wishes: Wishes): string | undefined {
  const { status, range } = response;
  if (wishes.code !== undefined && wishes.code !== status) {
    if (!range || wishes.code < range.min || wishes.code > range.max)
      return `its status is ${status}, not ${wishes.code}`;
  }
  if (wishes.name !== undefined && wishes.name !== name) return `its name is "${name}", not "${wishes.name}"`;
  if (wishes.id !== undefined && !isSameId(id, wishes.id)) return `its id is ${id ?? "not given"}, not ${wishes.id}`;
  for (const [header, value] of wishes.headers) {
    const expected = request.headers.get(header);
    if (expected === value) continue;
    return expected === undefined ? `it has no header ${header}` : `its header ${header} has another value`;
  }
  return undefined;
}

/** In Postman's API an id has its owner in front: `<owner>-<id>`. */
function isSameId(id: string | undefined, wanted: string): boolean {
  return id !== undefined && (id === wanted || wanted.endsWith(`-${id}`) || id.endsWith(`-${wanted}`));
}

function rangeWidth({ response: { range } }: Example): number {
  return range ? range.max - range.min : 0;
}

/** As in Prism, the response is settled first, and then one of its examples is looked for. */
function preferredIn(pool: readonly Candidate[], name: string, accept: string | undefined): readonly Candidate[] {
  const first = pool[0]?.example.response;
  const ofFirst = pool.filter(({ example }) => example.response.status === first?.status);
  const types = [...new Set(ofFirst.map(({ example }) => bareType(example.response.type)))];
  const type = types.length > 1 ? preferredType(types, accept) : types[0];
  return ofFirst.filter(({ example }) => example.name === name && bareType(example.response.type) === type);
}

/** The values of the chosen example's wildcards in this request; undefined when it has none. */
export function capturesOf({ request }: Example, values: readonly string[], call: Call): Captures | undefined {
  const { path, query } = request;
  if (path.names.length === 0 && query.length === 0) return undefined;
  const captures = new Map<string, string>();
  for (const [position, name] of path.names.entries()) {
    captures.set(name, (values[position] ?? "").replaceAll("%2F", "/"));
  }
  for (const { name, wildcard } of query) {
    if (wildcard !== undefined) captures.set(wildcard, call.parameters.get(name)?.[0] ?? "");
  }
  return captures;
}

/** The one that the client likes best; JSON, else the first, where it does not say. */
function preferredType(types: readonly string[], accept: string | undefined): string {
  const json = types.includes("application/json") ? "application/json" : types[0]!;
  if (accept === undefined) return json;
  return new Negotiator({ headers: { accept } }).mediaType([json, ...types]) ?? json;
}

/** A parameter that is as in the example counts for it, one that is not, against it. Others do not matter. */
function queryScore({ request }: Example, parameters: Parameters): number {
  let score = 0;
  for (const { name, value, wildcard } of request.query) {
    const values = parameters.get(name);
    if (values === undefined) score -= 2;
    else if (wildcard !== undefined) score += 1;
    else score += values.includes(value) ? 2 : -2;
  }
  return score;
}

function hasSameQuery({ request }: Example, query: Example["request"]["query"]): boolean {
  return (
    request.query.length === query.length &&
    request.query.every(
      ({ name, value }, position) => name === query[position]?.name && value === query[position]?.value,
    )
  );
}

/** The same for the same pairs in any order. */
function queryKey(pairs: readonly (readonly [name: string, value: string])[]): string {
  const [only] = pairs;
  if (only && pairs.length === 1) return `${only[0]}\n${only[1]}`;
  return pairs
    .map(([name, value]) => `${name}\n${value}`)
    .sort()
    .join("\n\n");
}

/** A body made ready for comparison: the order of keys and white space do not count in JSON, nor does the order of a form. */
export function canonicalBody(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PARSED) return trimmed;
  try {
    return JSON.stringify(JSON.parse(trimmed, sortKeys));
  } catch {
    // A form, or a text as it stands.
    return /^[^\s=&]+=[^\s]*$/.test(trimmed) ? trimmed.split("&").sort().join("&") : trimmed;
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
