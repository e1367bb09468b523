import { messageOf, StandinError } from "../../base/errors.ts";
import { blobPieces } from "./browser-files.ts";
import { type FormOptions, type FormPart, tooManyParts } from "./form.ts";

const MAX_PARTS = 1000;
/** The platform reads a form as a whole, into memory. */
const MAX_BYTES = 100_000_000;

/** Reads a form with files, as the platform does. */
export async function readFormAtOnce(
  content: AsyncIterable<Uint8Array>,
  { headers, store }: FormOptions,
): Promise<readonly FormPart[]> {
  const body = new Blob(await wholeOf(content));
  const type = headers["content-type"] ?? "";
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData().catch((thrown) => {
    throw new StandinError("BODY_MALFORMED", `The form cannot be read: ${messageOf(thrown)}.`);
  });
  const sent = [...form];
  if (sent.length > MAX_PARTS) throw tooManyParts(MAX_PARTS);
  const parts: FormPart[] = [];
  for (const [name, value] of sent) {
    const isText = typeof value === "string";
    parts.push({ name, value: isText ? value : await store(blobPieces(value), value.name, value.type) });
  }
  return parts;
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new StandinError("BODY_TOO_LARGE", `A form may have at most ${MAX_BYTES} bytes here.`);
    pieces.push(piece.slice());
  }
  return pieces;
}
