/** A page in the form of 1.0: the requested one, or the nearest that exists. */
export function pageOf(texts: readonly string[], page: number, perPage: number): string {
  const size = perPage > 0 ? perPage : 1;
  const pages = Math.max(1, Math.ceil(texts.length / size));
  const current = Math.max(1, Math.min(page, pages));
  const prev = current > 1 ? current - 1 : null;
  const next = current < pages ? current + 1 : null;
  const data = texts.slice((current - 1) * size, current * size).join(",");
  return `{"first":1,"prev":${prev},"next":${next},"last":${pages},"pages":${pages},"items":${texts.length},"data":[${data}]}`;
}
