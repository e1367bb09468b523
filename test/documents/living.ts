import { messageOf } from "../../src/base/errors.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { Bindings } from "../../src/openapi/bind/binding.ts";
import type { ApiDocument } from "../../src/openapi/read/api-document.ts";
import { createSampler } from "../../src/openapi/sample/sampler.ts";
import { askAt } from "../support/api.ts";
import { Client } from "./client.ts";
import type { DataPlace } from "./data-place.ts";
import type { Judge } from "./judge.ts";
import { type RoundTrips, tryRoundTrips } from "./round-trips.ts";
import { startStandin } from "./servers.ts";

/** The outcome of a document as a living API. */
export interface Life {
  /** Why it did not start. */
  readonly failed?: string;
  readonly judged: number;
  readonly valid: number;
  /** Responses that the document does not declare: with a 404, or with a success where it has failures alone. */
  readonly undeclared: number;
  readonly serverErrors: number;
  readonly trips: RoundTrips;
  /** Whether a restart kept its data. */
  readonly isKept: boolean;
  readonly failures: readonly string[];
}

const NO_TRIPS: RoundTrips = { tried: 0, passed: 0, impossible: 0, walks: 0, walked: 0, closed: 0, failures: [] };

/** Serves a document as a living API with a place for its data, uses it, kills it and starts it again. */
export async function live(file: string, document: ApiDocument, judge: Judge, place: DataPlace): Promise<Life> {
  const start = () => startStandin([file, ...place.args]);
  try {
    let server = await start();
    try {
      const client = new Client(server.url, document, createSampler(document, 2), judge);
      for (const operation of document.operations) if (operation.method === "GET") await client.ask(operation);
      const trips = await tryRoundTrips(server.url, client, bindDocument(document).collections);
      const before = (await askAt(server.url, "GET /db")).text;
      await server.stop();
      server = await start();
      const isKept = (await askAt(server.url, "GET /db")).text === before;
      const { judged, valid, undeclared, serverErrors } = client;
      const lost = isKept ? [] : ["a restart changed the data"];
      return {
        judged,
        valid,
        undeclared,
        serverErrors,
        trips,
        isKept,
        failures: [...client.failures, ...trips.failures, ...lost],
      };
    } finally {
      await server.stop();
    }
  } catch (thrown) {
    const failed = messageOf(thrown);
    return {
      failed,
      judged: 0,
      valid: 0,
      undeclared: 0,
      serverErrors: 0,
      trips: NO_TRIPS,
      isKept: false,
      failures: [failed],
    };
  } finally {
    await place.remove();
  }
}

/** Pairs of a GET on a path and an operation on the same path with a wildcard behind it; `bound` those that live. */
export function countPairs(document: ApiDocument, bindings: Bindings): { pairs: number; bound: number } {
  const bare = (text: string): string => text.replace(/\/$/, "").replace(/\{[^{}]*\}/g, "{}");
  const above = (text: string): string => text.replace(/\/\{\}$/, "");
  const isItem = (text: string): boolean => text.endsWith("/{}");
  const texts = document.operations.map(({ path }) => bare(path.text));
  const gets = new Set(document.operations.flatMap(({ method, path }) => (method === "GET" ? bare(path.text) : [])));
  const pairs = [...new Set(texts.filter(isItem).map(above))].filter((path) => gets.has(path));
  const operations = bindings.collections.flatMap((collection) => collection.operations);
  const isRead = ({ action, operation }: (typeof operations)[number]): boolean =>
    action === "list" || action === "read" || (action === "elements" && operation.method === "GET");
  const lists = new Set(operations.flatMap((one) => (isRead(one) ? bare(one.operation.path.text) : [])));
  const items = new Set(
    operations
      .map((one) => bare(one.operation.path.text))
      .filter(isItem)
      .map(above),
  );
  return { pairs: pairs.length, bound: pairs.filter((path) => lists.has(path) && items.has(path)).length };
}
