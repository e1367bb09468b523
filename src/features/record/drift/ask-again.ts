import { messageOf } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { OWN_BINDINGS } from "../../../openapi/bind/config/own-bindings.ts";
import type { ApiDocument, Operation } from "../../../openapi/read/api-document.ts";
import { pointerOf, valueAtPointer } from "../../../schema/pointer.ts";
import { readExchanges } from "../infer/seen.ts";
import { rowsAt } from "../infer/spots.ts";
import { ASSUMED, REQUESTS } from "../infer/write-operation.ts";
import type { NotAsked } from "./drift.ts";

/** Sends a GET. Rejects where there is no response. */
export type AskUpstream = (url: string) => Promise<Exchange>;

/** Records that are asked for in place of those that are not there any more. */
const OTHER_RECORDS = 3;

/** Sends the GETs of a document again, and no other request. */
export async function askAgain(
  document: ApiDocument,
  ask: AskUpstream,
): Promise<{ readonly exchanges: readonly Exchange[]; readonly notAsked: readonly NotAsked[] }> {
  const byPath = new Map<string, Exchange[]>();
  const notAsked: NotAsked[] = [];
  const askAll = async (operation: Operation, addresses: readonly string[]): Promise<void> => {
    for (const address of addresses) {
      try {
        const known = byPath.get(operation.path.text) ?? [];
        byPath.set(operation.path.text, [...known, await ask(address)]);
      } catch (thrown) {
        notAsked.push({ operation: nameOf(operation), why: messageOf(thrown), isFailure: true });
        return;
      }
    }
  };
  for (const operation of document.operations) {
    const addresses = operation.method === "GET" ? addressesOf(document, operation) : [];
    if (addresses === undefined)
      notAsked.push({ operation: nameOf(operation), why: "no address was recorded", isFailure: false });
    else await askAll(operation, addresses);
  }
  for (const operation of document.operations) {
    const asked = operation.method === "GET" ? (byPath.get(operation.path.text) ?? []) : [];
    if (asked.length > 0 && asked.every(isMissing))
      await askAll(operation, otherAddresses(document, operation, byPath));
  }
  return { exchanges: [...byPath.values()].flat(), notAsked };
}

/** The addresses of an operation; undefined where it needs values that are not known. */
function addressesOf(document: ApiDocument, operation: Operation): readonly string[] | undefined {
  const written = valueAtPointer(document.root, pointerOf(operation.place.replace(/^#/, "")));
  if (!isJsonObject(written)) return undefined;
  if (written[ASSUMED] === true) return [];
  const recorded = written[REQUESTS];
  if (Array.isArray(recorded)) return recorded.map(String);
  if (operation.parameters.some(({ isRequired }) => isRequired)) return undefined;
  return [`${document.basePaths[0] ?? ""}${operation.path.text}`];
}

function isMissing({ status }: Exchange): boolean {
  return status === 404 || status === 410;
}

/** The addresses of records that the list has now. */
function otherAddresses(
  { root }: ApiDocument,
  { path }: Operation,
  byPath: ReadonlyMap<string, readonly Exchange[]>,
): readonly string[] {
  const section = root[OWN_BINDINGS];
  const entries = Object.values(isJsonObject(section) ? section : {}).filter(isJsonObject);
  const entry = entries.find(({ item }) => item === path.text);
  const asked = (byPath.get(path.text) ?? []).map(({ url }) => url);
  const above = asked[0]?.split("?", 1)[0]?.replace(/(?<![^/])[^/]*$/, "");
  if (!entry || above === undefined) return [];
  const ids = readExchanges(byPath.get(textIn(entry, "list")) ?? []).flatMap(({ body }) => idsIn(body, entry));
  const addresses = [...new Set(ids)].map((id) => `${above}${encodeURIComponent(id)}`);
  return addresses.filter((address) => !asked.includes(address)).slice(0, OTHER_RECORDS);
}

function idsIn(body: Json | undefined, entry: JsonObject): string[] {
  const at = textIn(entry, "at")
    .split(".")
    .filter((name) => name !== "");
  return rowsAt(body, at).map((record) => String(record[textIn(entry, "id")]));
}

function textIn(entry: JsonObject, key: string): string {
  const value = entry[key];
  return typeof value === "string" ? value : "";
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path.text}`;
}
