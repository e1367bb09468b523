import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readHar } from "../../src/features/record/read-har.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import type { ApiDocument } from "../../src/openapi/read/api-document.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { createSampler } from "../../src/openapi/sample/sampler.ts";
import { askAt } from "../support/api.ts";
import { Client } from "./client.ts";
import { Judge } from "./judge.ts";
import { Records } from "./records.ts";
import { type Replayed, replay } from "./replay.ts";
import { tryRoundTrips } from "./round-trips.ts";
import type { RunningServer } from "./servers.ts";
import { walk } from "./walk.ts";

/** Records of each collection that are read one by one. */
const READ_RECORDS = 3;

interface Place {
  /** Starts a command of standin on a free port. */
  start(args: readonly string[]): Promise<Pick<RunningServer, "url" | "stop">>;
  readonly folder: string;
}

/** Serves a document, records the use of it, and asks the recording the same. */
export async function recordDocument(file: string, { start, folder }: Place): Promise<Replayed> {
  const document = await loadApiDocument(file);
  const [out, har] = [join(folder, "mock"), join(folder, "capture.har")];
  const upstream = await start([file, "--data", join(folder, "upstream.json")]);
  try {
    const recording = await start(["record", upstream.url, "--out", out, "--har", har]);
    const client = new Client(recording.url, document, createSampler(document, 2), new Judge(document));
    await tryRoundTrips(upstream.url, client, bindDocument(document).collections, { keepsOthers: true });
    const { body } = await askAt(recording.url, "GET /__record");
    await readAll(upstream.url, client, document);
    await askAt(recording.url, "POST /__record");
    const exchanges = readHar(readFileSync(har, "utf8"), har).map(({ exchange }) => exchange);
    const offline = await start([join(out, "api.json"), "--data", join(out, "data.json")]);
    try {
      return await replay(exchanges, {
        lives: (body as { exchanges: number }).exchanges,
        upstream: upstream.url,
        offline: offline.url,
      });
    } finally {
      await offline.stop();
    }
  } finally {
    await upstream.stop();
  }
}

/** Reads everything that a document has, as its data is now. */
async function readAll(url: string, client: Client, document: ApiDocument): Promise<void> {
  const { collections } = bindDocument(document);
  const records = new Records(url, collections);
  const bound = new Set<string>();
  for (const collection of collections) {
    const some = (await records.of(collection)).slice(0, READ_RECORDS);
    for (const one of collection.operations) {
      const { operation, action } = one;
      bound.add(operation.place);
      if (operation.method !== "GET") continue;
      if (action === "list") await walk(client, collection, one, await records.pathFor(collection, one));
      else
        for (const record of some) await client.ask(operation, { path: await records.pathTo(collection, one, record) });
    }
  }
  for (const operation of document.operations) {
    if (operation.method === "GET" && !bound.has(operation.place)) await client.ask(operation);
  }
}
