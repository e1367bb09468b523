import { existsSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { isApiDocument, isDocumentAt } from "./recognise-document.ts";

/** The data to serve, and the document in front of it. */
export interface ServedSource {
  /** The data; empty for data that lives in memory. */
  readonly source: string;
  readonly document: string | undefined;
}

/** Tells a document from data: `standin api.yaml --data pets.json`. */
export function servedSource({ source, data }: { source: string; data: string | undefined }): ServedSource {
  if (isApiDocument(source)) return { source: data ?? "", document: source };
  if (data === undefined) return { source, document: undefined };
  throw new StartError(
    `--data names the data of an OpenAPI document, but ${source} is not one. Serve the data itself.`,
  );
}

/** The same of any source: JSON at an address is a document or data, which only its text tells. */
export async function loadedSource(given: { source: string; data: string | undefined }): Promise<ServedSource> {
  const { source, data } = given;
  return (await isDocumentAt(source)) ? { source: data ?? "", document: source } : servedSource(given);
}

/** Refuses a document where a command reads data itself. `wanted` is the kind of thing that it reads. */
export function refuseDocument(source: string, command: string, wanted = "data"): void {
  if (!isApiDocument(source)) return;
  const isAddress = /^https?:/i.test(source);
  if (!isAddress && !existsSync(source)) throw new StartError(`${source} does not exist.`);
  throw new StartError(
    `${source} is an OpenAPI document, not ${wanted}, so standin ${command} cannot read it. ` +
      `standin ${source} serves it, and standin ${source} --data db.json keeps its data in db.json.`,
  );
}
