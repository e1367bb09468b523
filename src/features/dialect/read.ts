import type { JsonObject } from "../../base/json/json.ts";
import { inSlices, STEP, type Work } from "../../base/slices.ts";
import { metered, whileWanted } from "../../base/work-account.ts";
import type { Call } from "../../http/call.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import { isFresh, stampTag } from "../../http/response/headers.ts";
import { jsonReply, notModified, type Reply } from "../../http/response/reply.ts";
import type { Parameters } from "../../query/parameters.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import { createEmbed, type Embed, type EmbeddedRow, embeddedCollections, rowsOf } from "./embed.ts";
import { sortRows } from "./sort.ts";
import { meetsWhere, readWhere } from "./where.ts";

const DEFAULT_PER_PAGE = 10;

/** `GET /posts?...`: embeds, filters, sorts, then cuts out a page, in the order of 1.0. */
export async function listPage(call: Call, service: Service, { collection = "" }: PathParts): Promise<Reply> {
  const { parameters } = call;
  const { store } = service;
  const embedded = parameters.get("_embed") ?? [];
  await store.refresh();
  const etag = stampTag(await store.stamp([collection, ...embeddedCollections(service, embedded)]));
  if (isFresh(call.headers, etag)) return notModified(etag);
  const { account } = call;
  const { records } = await store.find(collection, EVERYTHING, { payer: call });
  const rows = rowsOf(records);
  const embed = embedded.length > 0 ? await createEmbed(service, { collection, rows }, embedded) : undefined;
  const found = await inSlices(metered(select(rows, embed, readWhere(parameters)), account));
  const sorted = await inSlices(whileWanted(sortRows(found, parameters.get("_sort")?.[0] ?? ""), account));
  const texts = sorted.map(({ text }) => text);
  const page = wholeNumber(parameters, "_page");
  if (page === undefined) return jsonReply(`[${texts.join(",")}]`, etag);
  return jsonReply(pageOf(texts, page, wholeNumber(parameters, "_per_page") ?? DEFAULT_PER_PAGE), etag);
}

function* select(
  rows: readonly EmbeddedRow[],
  embed: Embed | undefined,
  where: JsonObject,
): Work<readonly EmbeddedRow[]> {
  const found: EmbeddedRow[] = [];
  for (const [position, plain] of rows.entries()) {
    const row = embed ? embed(plain) : plain;
    if (meetsWhere(row.value, where)) found.push(row);
    if (position % STEP === 0) yield;
  }
  return found;
}

/** The number at the beginning of a text, as 1.0 reads it; undefined for any other text. */
function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const number = Number.parseInt(parameters.get(name)?.[0] ?? "", 10);
  return Number.isNaN(number) ? undefined : number;
}

/** `GET /posts/1?_embed=...`; all other parameters are ignored. */
export async function readEmbedded(
  call: Call,
  service: Service,
  { collection = "", id = "" }: PathParts,
): Promise<Reply> {
  const { store } = service;
  const embedded = call.parameters.get("_embed") ?? [];
  await store.refresh();
  const stamp = await store.stamp(embeddedCollections(service, embedded));
  const record = await store.get(collection, id);
  if (!record) throw recordNotFound(collection, store.idKeyOf(collection), id);
  const etag = stampTag(`${record.version}.${stamp}`);
  if (isFresh(call.headers, etag)) return notModified(etag);
  const rows = rowsOf([record]);
  const embed = await createEmbed(service, { collection, rows }, embedded);
  return jsonReply(rows[0] ? embed(rows[0]).text : record.text, etag);
}

/** A page in the form of 1.0: the requested one, or the nearest that exists. */
function pageOf(texts: readonly string[], page: number, perPage: number): string {
  const size = perPage > 0 ? perPage : 1;
  const pages = Math.max(1, Math.ceil(texts.length / size));
  const current = Math.max(1, Math.min(page, pages));
  const prev = current > 1 ? current - 1 : null;
  const next = current < pages ? current + 1 : null;
  const data = texts.slice((current - 1) * size, current * size).join(",");
  return `{"first":1,"prev":${prev},"next":${next},"last":${pages},"pages":${pages},"items":${texts.length},"data":[${data}]}`;
}
