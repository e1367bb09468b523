/** A worker may not be allowed to compile WebAssembly, and has no texts that are worth it. */
export const MIN_SCANNED = Number.POSITIVE_INFINITY;

export function scannerFor(): undefined {
  return undefined;
}
