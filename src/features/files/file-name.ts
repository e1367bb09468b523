const MAX_NAME = 200;

/** A file's name as it is shown: one line, without folders and marks that turn the direction of text. */
export function shownName(given: string | undefined): string {
  const [last = ""] = (given ?? "").split(/[/\\]/).slice(-1);
  const name = last
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .trim();
  const short = [...name].slice(0, MAX_NAME).join("");
  return /^\.*$/.test(short) ? "file" : short;
}

/** The value of `Content-Disposition` (RFC 6266): plain letters for old clients, the whole name for all others. */
export function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
