import { Buffer } from "../../base/platform/buffer.ts";
import { isUnparsed, stringify } from "./body.ts";
import type { BodySource } from "./body-source.ts";
import { decompress, tooLarge } from "./decompress-body.ts";

/** The body as text, of any type; empty when there is none. A value left by an interceptor is turned into JSON. */
export async function readBodyText(source: BodySource, maxBytes: number): Promise<string> {
  const text = await textOfAnyType(source, maxBytes);
  if (text !== "") source.sentBody ??= { text, bytes: Buffer.byteLength(text) };
  return text;
}

async function textOfAnyType(source: BodySource, maxBytes: number): Promise<string> {
  if (source.keptBytes) return decompressedText(source, source.keptBytes, maxBytes);
  const given = source.givenBody();
  if (isUnparsed(given)) return Buffer.from(given).toString("utf8");
  if (given !== undefined) return stringify(given) ?? "";
  if (source.isBodyRead) return "";
  return decompressedText(source, await readAllowed(source, maxBytes), maxBytes);
}

async function decompressedText({ headers }: BodySource, raw: Buffer, maxBytes: number): Promise<string> {
  const encoding = headers["content-encoding"];
  return (encoding === undefined ? raw : await decompress(raw, encoding, maxBytes)).toString("utf8");
}

/** Reads the body and keeps its bytes for several readers. */
export async function keepBody(source: BodySource, maxBytes: number): Promise<void> {
  if (source.keptBytes || source.givenBody() !== undefined || source.isBodyRead) return;
  source.keptBytes = await readAllowed(source, maxBytes);
}

function readAllowed(source: BodySource, maxBytes: number): Promise<Buffer> {
  if (Number(source.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
  return source.readBytes(maxBytes);
}
