import { messageOf, StandinError } from "../../base/errors.ts";
import type { Buffer } from "../../base/platform/buffer.ts";
import { DECOMPRESSORS } from "../../base/platform/decompressors.ts";

/** The bytes of a body that is sent with `Content-Encoding`. */
export async function decompress(bytes: Buffer, header: string, maxBytes: number): Promise<Buffer> {
  const encoding = header.trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return bytes;
  const run = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (!run) {
    const known = Object.keys(DECOMPRESSORS).join(", ");
    throw new StandinError(
      "BODY_TYPE_UNSUPPORTED",
      `A body in Content-Encoding "${encoding}" cannot be read. Use ${known} or none.`,
    );
  }
  try {
    return await run(bytes, { maxOutputLength: maxBytes });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new StandinError("BODY_MALFORMED", `The body is not valid ${encoding}: ${messageOf(thrown)}.`);
  }
}

export function tooLarge(maxBytes: number): StandinError {
  return new StandinError("BODY_TOO_LARGE", `The body has more than the ${maxBytes} bytes allowed.`);
}
