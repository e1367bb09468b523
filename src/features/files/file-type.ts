/** The types that browsers may show: none of them can run a script in our origin. */
type Signature = readonly [type: string, at: number, bytes: string];

/** By the first bytes, written as Latin-1; the first that fits wins. */
const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
  ["application/pdf", 0, "%PDF-"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/zip", 0, "PK\x05\x06"],
  ["audio/wav", 8, "WAVE"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/mpeg", 0, "\xff\xfb"],
  ["audio/mpeg", 0, "\xff\xf3"],
  ["audio/mpeg", 0, "\xff\xf2"],
  ["audio/aac", 0, "\xff\xf1"],
  ["audio/aac", 0, "\xff\xf9"],
  ["audio/flac", 0, "fLaC"],
  ["audio/ogg", 0, "OggS"],
  ["audio/mp4", 4, "ftypM4A"],
  ["video/quicktime", 4, "ftypqt"],
  ["video/mp4", 4, "ftypisom"],
  ["video/mp4", 4, "ftypiso2"],
  ["video/mp4", 4, "ftypiso5"],
  ["video/mp4", 4, "ftypiso6"],
  ["video/mp4", 4, "ftypmp41"],
  ["video/mp4", 4, "ftypmp42"],
  ["video/mp4", 4, "ftypavc1"],
  ["video/mp4", 4, "ftypdash"],
  ["video/mp4", 4, "ftypM4V"],
  ["video/mp4", 4, "ftypMSNV"],
];
/** Formats that are zip archives, and say so in their first bytes. */
const ZIPPED = /^application\/(?:vnd\.|epub\+zip$|java-archive$|x-)/;
const DECLARED = /^[a-z\d][\w.+-]{0,63}\/[a-z\d][\w.+-]{0,63}$/;
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;

export const BINARY = "application/octet-stream";

/** The type of a file as its record shows it: by its first bytes for pictures, PDF and zip, else as declared. */
export function typeOfFile(head: Uint8Array, declared: string | undefined): string {
  const [bare = ""] = (declared ?? "").toLowerCase().split(";", 1);
  const named = DECLARED.test(bare.trim()) ? bare.trim() : BINARY;
  const found = typeOfBytes(head);
  if (found === undefined) return named;
  if (found === "application/zip") return ZIPPED.test(named) ? named : found;
  if (/^(?:audio|video)\//.test(found)) return /^(?:audio|video)\//.test(named) ? named : found;
  return found;
}

/** How a file is sent: whether browsers may show it, and as what. */
export function sentAs(head: Uint8Array): { readonly type: string; readonly isInline: boolean } {
  const found = typeOfBytes(head);
  if (found !== undefined && found !== "application/zip") return { type: found, isInline: true };
  const text = textIn(head);
  if (text === undefined || text === "") return { type: BINARY, isInline: false };
  // Markup could be a page with a script.
  if (/^[\s\uFEFF]*</.test(text)) return { type: /<svg[\s>]/i.test(text) ? "image/svg+xml" : BINARY, isInline: false };
  return { type: "text/plain; charset=utf-8", isInline: true };
}

function typeOfBytes(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head);
  // EBML: its header names the format.
  if (text.startsWith("\x1a\x45\xdf\xa3")) return text.includes("webm") ? "video/webm" : "video/x-matroska";
  if (/^RIFF.{4}AVI /s.test(text)) return "video/x-msvideo";
  const found = SIGNATURES.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0];
  if ((found === "image/webp" || found === "audio/wav") && !text.startsWith("RIFF")) return undefined;
  return found === "audio/ogg" && text.includes("theora") ? "video/ogg" : found;
}

/** The beginning as text; undefined where it is none. */
function textIn(head: Uint8Array): string | undefined {
  try {
    // The last character may be cut.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return CONTROL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
