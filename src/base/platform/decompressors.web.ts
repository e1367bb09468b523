import { Buffer } from "./buffer.web.ts";

/** Browsers have no function for brotli. */
export const DECOMPRESSORS = { gzip: decompressor("gzip"), deflate: decompressor("deflate") };

function decompressor(format: CompressionFormat) {
  return async (bytes: Uint8Array<ArrayBuffer>, { maxOutputLength }: { readonly maxOutputLength: number }) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(parts);
      parts.push(value);
      length += value.length;
      if (length <= maxOutputLength) continue;
      await reader.cancel();
      throw Object.assign(new RangeError("The result is too long"), { code: "ERR_BUFFER_TOO_LARGE" });
    }
  };
}
