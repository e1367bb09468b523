import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { ApiDocument } from "../../../openapi/read/api-document.ts";
import { inferRecording, type Recording } from "../infer/infer-recording.ts";
import { Upstream, type UpstreamOptions } from "../proxy/upstream.ts";
import { busiestOrigin, readHar } from "../read-har.ts";
import { redactExchange, redactKnown } from "../redact/redact-exchange.ts";
import { Redactor } from "../redact/redactor.ts";
import { askAgain } from "./ask-again.ts";
import { askUpstream } from "./ask-upstream.ts";
import type { Drift } from "./drift.ts";
import { findDrift } from "./find-drift.ts";

/** Asks an API again for what a document says of it, and compares. */
export async function driftOfApi(document: ApiDocument, api: Omit<UpstreamOptions, "option">): Promise<Drift> {
  // The recorded addresses have the path of the API.
  const upstream = new Upstream({ ...api, address: new URL(api.address).origin, option: "drift" });
  const { exchanges, notAsked } = await askAgain(document, askUpstream(upstream));
  upstream.close();
  const drift = findDrift(document, exchanges);
  return { ...drift, notAsked: [...notAsked, ...drift.notAsked] };
}

/** Compares the traffic of an HTTP archive with the API that sent most of it. */
export function driftOfArchive(
  document: ApiDocument,
  { text, file }: { readonly text: string; readonly file: string },
): Drift {
  const found = readHar(text, file);
  const wanted = busiestOrigin(found);
  return findDrift(
    document,
    found.flatMap(({ origin, exchange }) => (origin === wanted ? [exchange] : [])),
  );
}

/** A recorded document as the API is now: operations that are gone are left out. */
export function updatedDocument(recording: Recording, drift: Drift, key: string): JsonObject {
  const redactor = new Redactor(key);
  const redacted = drift.exchanges
    .filter(({ status }) => status < 400)
    .map((exchange): Exchange => redactExchange(exchange, redactor))
    .map((exchange) => redactKnown(exchange, redactor));
  const gone = new Set(drift.findings.flatMap(({ kind, operation }) => (kind === "operation gone" ? operation : [])));
  const { paths } = recording.document;
  const kept = Object.entries(isJsonObject(paths) ? paths : {}).map(([path, item]) => {
    const operations = Object.entries(isJsonObject(item) ? item : {});
    return [path, Object.fromEntries(operations.filter(([method]) => !gone.has(`${method.toUpperCase()} ${path}`)))];
  });
  const document = { ...recording.document, paths: Object.fromEntries(kept) };
  return inferRecording(redacted, { document, data: recording.data }).document;
}
