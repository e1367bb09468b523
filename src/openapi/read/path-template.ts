import { type Segment, splitPath } from "../../base/path-tree.ts";

/**
 * Paths with wildcards, such as `/users/{{id}}`. Two templates of the same shape differ at most in the names of wildcards.
 */
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
    const [first = "", ...others] = texts;
    if (others.length === 0) return { kind: "literal", text: first };
    return texts.length === 2 && texts.join("") === "" ? { kind: "wildcard" } : { kind: "pattern", texts };
  });
  return { text, segments, names, shape: `/${segments.map(shapeOf).join("/")}` };
}

function shapeOf(segment: Segment): string {
  if (segment.kind === "literal") return segment.text;
  return segment.kind === "wildcard" ? WILD : segment.texts.join(WILD);
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
