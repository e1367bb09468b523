import { once } from "node:events";
import type { Readable } from "node:stream";
import type { BusboyHeaders, BusboyInstance } from "@fastify/busboy";
import { messageOf, StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";
import { type FormOptions, type FormPart, tooManyParts } from "./form.ts";

const MAX_NAME_BYTES = 1000;
const LIMITS = { parts: 1000, headerPairs: 100, headerSize: 16_384 };
/** Bytes that the parser may hold back when they are counted. */
const HELD_BYTES = 256 * 1024;

/** Reads a form with files. Rejects with the first refusal, and ends the files that are arriving then. */
export async function readUploadForm(
  content: AsyncIterable<Uint8Array>,
  options: FormOptions,
): Promise<readonly FormPart[]> {
  const parser = await createParser(options);
  const parts: FormPart[] = [];
  const files: (Readable & { readonly bytesRead: number })[] = [];
  const pending: Promise<void>[] = [];
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown): void => {
      const refusal = thrown instanceof StandinError ? thrown : malformed(messageOf(thrown));
      for (const file of files) file.destroy(refusal);
      parser.destroy();
      reject(refusal);
    };
    const tooMany = (): void => fail(tooManyParts(LIMITS.parts));
    parser.on("field", (...[name, value, , isCut]) => {
      if (isCut) fail(textTooLarge(options.maxBodyBytes));
      else if (name === undefined || name.length > MAX_NAME_BYTES)
        fail(malformed("a part has no name, or a very long one"));
      else parts.push({ name, value });
    });
    parser.on("file", (...[name, file, fileName, , type]) => {
      files.push(file);
      // An error without a listener ends the process, even that of a file that is never read.
      file.on("error", () => {});
      if (name === undefined || name.length > MAX_NAME_BYTES)
        return fail(malformed("a part has no name, or a very long one"));
      const part: { name: string; value: Json | undefined } = { name, value: undefined };
      parts.push(part);
      const stored = options.store(file, fileName, type).then((value) => {
        part.value = value;
      });
      stored.catch(fail);
      pending.push(stored);
    });
    parser.on("partsLimit", tooMany).on("fieldsLimit", tooMany).on("filesLimit", tooMany);
    parser.on("error", fail);
    parser.on("finish", () => void Promise.all(pending).then(() => resolve(parts), fail));
    pass(content, parser, () => files.reduce((sum, { bytesRead }) => sum + bytesRead, options.maxBodyBytes)).catch(
      fail,
    );
  });
}

async function createParser({ headers, maxBodyBytes }: FormOptions): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: { ...LIMITS, fieldSize: maxBodyBytes } });
  } catch (thrown) {
    throw malformed(messageOf(thrown));
  }
}

/** Hands the body to the parser, as fast as that takes it. `allowed` is how much there may be of it by now. */
async function pass(content: AsyncIterable<Uint8Array>, parser: BusboyInstance, allowed: () => number): Promise<void> {
  const ended = new Promise<void>((resolve) => parser.once("close", resolve));
  let bytes = 0;
  for await (const piece of content) {
    if (parser.destroyed) return;
    bytes += piece.length;
    if (!parser.write(piece)) await Promise.race([once(parser, "drain"), ended]);
    if (bytes > allowed() + HELD_BYTES) throw textTooLarge(allowed());
  }
  parser.end();
}

function malformed(problem: string): StandinError {
  return new StandinError("BODY_MALFORMED", `The form cannot be read: ${problem.replace(/\.$/, "")}.`);
}

function textTooLarge(maxBytes: number): StandinError {
  return new StandinError(
    "BODY_TOO_LARGE",
    `The parts of a form that are no files may have at most ${maxBytes} bytes.`,
  );
}
