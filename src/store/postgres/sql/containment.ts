import type { Path } from "../../../query/path.ts";
import { has, isPosition, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";

/** More forms than this cost more than they spare. */
const MAX_FORMS = 24;

/**
 * JSON of which a record contains at least one when the path leads to one of these texts: every kind of value with the
 * text, in an array or not, and every array on the way. Undefined where that cannot be told by containment.
 */
export function containedForms(member: KnownMember, path: Path, texts: readonly string[]): string[] | undefined {
  if (has(member, "odd") || has(member, "deep") || path.segments.some(isPosition)) return undefined;
  // The text of an array as a whole, or of an object.
  const isJoined = (text: string): boolean => text === "" || text.includes(",") || text === "[object Object]";
  if (has(member, "nested") && texts.some(isJoined)) return undefined;
  const isInLists = has(member, "lists");
  const leaves = texts.flatMap(valuesWithText).flatMap((leaf) => (isInLists ? [leaf, `[${leaf}]`] : [leaf]));
  let forms = leaves;
  for (let depth = path.segments.length - 1; depth >= 0; depth--) {
    const name = JSON.stringify(encodeText(path.segments[depth]!));
    const inObject = forms.map((form) => `{${name}:${form}}`);
    forms = isInLists && depth > 0 ? [...inObject, ...inObject.map((form) => `[${form}]`)] : inObject;
    if (forms.length > MAX_FORMS) return undefined;
  }
  if (path.segments.length === 1 && path.segments[0] === path.text) return forms;
  // A field that is literally named so.
  const name = JSON.stringify(encodeText(path.text));
  return [...forms, ...leaves.map((leaf) => `{${name}:${leaf}}`)];
}

function valuesWithText(text: string): string[] {
  const values = [JSON.stringify(encodeText(text))];
  const number = Number(text);
  if (Number.isFinite(number) && String(number) === text) values.push(JSON.stringify(number));
  if (text === "true" || text === "false") values.push(text);
  return values;
}
