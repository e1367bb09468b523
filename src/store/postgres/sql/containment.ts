import type { Path } from "../../../query/path.ts";
import { hasTrait, isPosition, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";

/** More forms than this cost more than they save. */
const MAX_FORMS = 24;

/**
 * JSON texts of which a record contains at least one if the path leads to one of these texts: every type of value with that
 * text, in arrays or not, at each step. Undefined where containment cannot decide.
 */
export function containedForms(member: KnownMember, path: Path, texts: readonly string[]): string[] | undefined {
  if (hasTrait(member, "nonObject") || hasTrait(member, "nestedArrays") || path.segments.some(isPosition))
    return undefined;
  // Could be the text of a whole array or an object.
  const isJoined = (text: string): boolean => text === "" || text.includes(",") || text === "[object Object]";
  if (hasTrait(member, "nested") && texts.some(isJoined)) return undefined;
  const isInLists = hasTrait(member, "arrays");
  const leaves = texts.flatMap(valuesWithText).flatMap((leaf) => (isInLists ? [leaf, `[${leaf}]`] : [leaf]));
  let forms = leaves;
  for (const [height, segment] of path.segments.toReversed().entries()) {
    const name = JSON.stringify(encodeText(segment));
    const inObject = forms.map((form) => `{${name}:${form}}`);
    forms =
      isInLists && height < path.segments.length - 1 ? [...inObject, ...inObject.map((form) => `[${form}]`)] : inObject;
    if (forms.length > MAX_FORMS) return undefined;
  }
  if (path.segments.length === 1 && path.segments[0] === path.text) return forms;
  // A field whose name is the whole path.
  const name = JSON.stringify(encodeText(path.text));
  return [...forms, ...leaves.map((leaf) => `{${name}:${leaf}}`)];
}

/** JSON texts of which a record contains at least one exactly if a field has one of these texts, alone or in a list. */
export function listForms(field: string, texts: readonly string[]): string[] {
  const name = JSON.stringify(encodeText(field));
  return texts.flatMap(valuesWithText).flatMap((value) => [`{${name}:${value}}`, `{${name}:[${value}]}`]);
}

function valuesWithText(text: string): string[] {
  const values = [JSON.stringify(encodeText(text))];
  const number = Number(text);
  if (Number.isFinite(number) && String(number) === text) values.push(JSON.stringify(number));
  if (text === "true" || text === "false") values.push(text);
  return values;
}
