/**
 * Paths with wildcards, such as `/users/{{id}}`. A path is a list of segments; a segment is a fixed text, a wildcard, or
 * a text with wildcards in it (`{name}.json`). Two templates of the same shape differ at most in the names of wildcards.
 * Not built on path-pattern.ts: wildcards capture parts of a segment, and thousands of templates are ranked in one walk.
 */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "wildcard" }
  /** Texts around and between wildcards: one more than there are wildcards. */
  | { readonly kind: "pattern"; readonly texts: readonly string[] };

export interface PathTemplate {
  /** As people write it. */
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The names of the wildcards, from left to right. */
  readonly names: readonly string[];
  /** The same for all templates that match the same paths. */
  readonly shape: string;
}

/** Stands for a wildcard in a shape; no path has it. */
const WILD = "\u0000";

/** How a wildcard is written: `{{id}}` in collections and in our own format, `{id}` in OpenAPI. */
export type WildcardSyntax = "double" | "single";
const SYNTAX: Readonly<Record<WildcardSyntax, RegExp>> = { double: /\{\{([^{}]*)\}\}/g, single: /\{([^{}]*)\}/g };

export function parsePathTemplate(text: string, syntax: WildcardSyntax): PathTemplate {
  const names: string[] = [];
  const segments = splitPath(text).map((segment): Segment => {
    const pieces = segment.split(SYNTAX[syntax]);
    // Splitting by a pattern with one group gives texts and names in turn.
    const texts = pieces.filter((_, position) => position % 2 === 0).map(decodeSegment);
    names.push(...pieces.filter((_, position) => position % 2 === 1).map((name) => name.trim()));
    if (texts.length === 1) return { kind: "literal", text: texts[0]! };
    return texts.length === 2 && texts.join("") === "" ? { kind: "wildcard" } : { kind: "pattern", texts };
  });
  return { text, segments, names, shape: `/${segments.map(shapeOf).join("/")}` };
}

function shapeOf(segment: Segment): string {
  if (segment.kind === "literal") return segment.text;
  return segment.kind === "wildcard" ? WILD : segment.texts.join(WILD);
}

/** The segments of a path, still encoded. A trailing slash is an empty last segment. */
export function splitPath(path: string): string[] {
  return (path.startsWith("/") ? path.slice(1) : path).split("/");
}

/** Undoes percent-escapes; a slash that was escaped stays so, because it separates nothing. Broken ones stay as they are. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment).replaceAll("/", "%2F");
  } catch {
    return segment;
  }
}

/** The values of a pattern's wildcards in a segment, ignoring case; undefined when it does not match. */
export function matchPattern(texts: readonly string[], segment: string): string[] | undefined {
  const lower = segment.toLowerCase();
  const first = texts[0]!.toLowerCase();
  const last = texts.at(-1)!.toLowerCase();
  if (!lower.startsWith(first) || !lower.endsWith(last)) return undefined;
  const captured: string[] = [];
  const end = segment.length - last.length;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    // A wildcard stands for one character at least.
    const next = text === "" ? at + 1 : lower.indexOf(text.toLowerCase(), at + 1);
    if (next === -1 || next > end) return undefined;
    captured.push(segment.slice(at, next));
    at = next + text.length;
  }
  if (at >= end) return undefined;
  return [...captured, segment.slice(at, end)];
}
