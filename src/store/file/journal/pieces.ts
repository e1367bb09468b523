/** Longer texts are written in pieces, so that other requests can run in between. */
export const LARGE_TEXT = 64 * 1024;
/** Characters that are converted or scanned between two pauses. */
const STRIDE = 256 * 1024;

/** A position near `wanted` that does not split a surrogate pair. */
function cutNear(text: string, wanted: number, end: number): number {
  if (wanted >= end) return end;
  const code = text.charCodeAt(wanted - 1);
  return code >= 0xd800 && code <= 0xdbff ? wanted - 1 : wanted;
}

export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const cut = cutNear(text, at + STRIDE, text.length);
    yield text.slice(at, cut);
    at = cut;
  }
}
