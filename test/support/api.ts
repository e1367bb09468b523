import { type LookupAddress, lookup } from "node:dns";
import { type Agent, type IncomingMessage, request } from "node:http";
import type { LookupFunction } from "node:net";
import { onTestFinished } from "vitest";
import { createStandin, type StandinOptions } from "../../src/index.ts";
import { catalog } from "./catalog.ts";

export interface AskOptions {
  /** Texts and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Undefined leaves a header out, also the `Content-Type: application/json` that a body gets otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Keeps connections, for servers that many tests share; every request has one of its own otherwise. */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly body: unknown;
}

export interface Api {
  readonly url: string;
  readonly port: number;
  /** One request, written as its first line: `ask("GET /products?_page=2")`. */
  ask(line: string, options?: AskOptions): Promise<Answer>;
}

type ApiOptions = Partial<Extract<StandinOptions, { data: unknown }>>;

let startOther: ((options: ApiOptions) => Promise<Api | undefined>) | undefined;

/** Lets `startApi` serve another store, except where the function resolves to nothing: whole suites run on it, too. */
export function startWith(start: NonNullable<typeof startOther>): void {
  startOther = start;
}

/** Starts a server of its own for one test; it is closed when the test ends. Serves the catalog unless told otherwise. */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const other = await startOther?.(options);
  if (other) return other;
  const standin = await createStandin({ data: catalog(), ...options });
  onTestFinished(() => standin.close());
  return { url: standin.url, port: standin.port, ask: (line, request) => askAt(standin.url, line, request) };
}

/** One request to a server at any address. Not by fetch, which adds headers of its own and undoes compression. */
export function askAt(url: string, line: string, { body, headers = {}, agent }: AskOptions = {}): Promise<Answer> {
  const space = line.indexOf(" ");
  const bytes = body === undefined ? undefined : bytesOf(body);
  const implied = bytes ? { "content-type": "application/json", "content-length": String(bytes.length) } : {};
  const sent = Object.entries({ ...implied, ...lowerCase(headers) }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    // On a demo page, the addresses of the console's tests lie below its folder.
    const base = process.env.STANDIN_CONSOLE_DEMO === undefined ? "" : pathname.replace(/\/$/, "");
    const sending = request(
      {
        host: hostname.replace(/^\[|\]$/g, ""),
        port,
        method: line.slice(0, space),
        path: base + encodeURI(line.slice(space + 1)).replaceAll("%25", "%"),
        headers: Object.fromEntries(sent),
        agent: agent ?? false,
        lookup: lookupOnce,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => resolve(answerOf(response, Buffer.concat(pieces))));
      },
    );
    sending.on("error", reject);
    sending.end(bytes);
  });
}

const found = new Map<string, readonly LookupAddress[]>();

/** The addresses of a name are looked up by the first request to it: what they are does not change while tests run. */
const lookupOnce: LookupFunction = (hostname, options, done) => {
  const known = found.get(hostname);
  if (!options.all) lookup(hostname, options, done);
  else if (known) process.nextTick(done, null, known);
  else {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (!error) found.set(hostname, addresses);
      done(error, addresses);
    });
  }
};

/** Most tests look at one part of an answer, so each is made ready when it is first looked at. */
function answerOf({ statusCode, headers }: IncomingMessage, bytes: Buffer): Answer {
  const text = once(() => bytes.toString("utf8"));
  const body = once(() => parsed(text()));
  const listed = once(
    () => new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
  );
  return {
    status: statusCode ?? 0,
    get headers() {
      return listed();
    },
    bytes,
    get text() {
      return text();
    },
    get body() {
      return body();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The ids of the records in an answer, in their order. */
export function idsOf({ body }: Answer): unknown[] {
  if (!Array.isArray(body)) throw new Error(`expected a list but got ${JSON.stringify(body)}`);
  return body.map((record: { id: unknown }) => record.id);
}

/** The code of an error answer. */
export function codeOf({ body }: Answer): unknown {
  return (body as { code?: unknown }).code;
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function lowerCase(headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
