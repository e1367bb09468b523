import { pathHere } from "../api/base.ts";
import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";

/** A file that the server has stored, as records hold it. */
export interface StoredFile extends JsonObject {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly url: string;
}

const PREFIX = "/__files/";

function isStoredFile(value: Json | undefined): value is StoredFile {
  if (!isJsonObject(value)) return false;
  const { name, type, size, sha256, url } = value;
  const hasTexts = typeof name === "string" && typeof type === "string" && typeof url === "string";
  return hasTexts && typeof size === "number" && url.includes(`${PREFIX}${String(sha256)}/`);
}

/** The files in a value that is one, or a list of them; undefined for any other value. */
export function storedFilesIn(value: Json | undefined): readonly StoredFile[] | undefined {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isStoredFile) ? all : undefined;
}

/** The address of a file's content, from the data that this page shows. */
export function contentAddress({ url }: StoredFile): string {
  return pathHere(url.slice(url.indexOf(PREFIX)));
}

export function isPicture({ type }: StoredFile): boolean {
  return type.startsWith("image/");
}
