import { bodySchema } from "../bodies/bodies.ts";
import type { Drafted } from "../join.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, wordsIn } from "../words.ts";
import { freeIdKey } from "./field-keys.ts";
import { isIdLike } from "./id-key.ts";

/** A link says little more than what it leads to. */
const MOST_OF_LINK = 3;
/** Names of numbers that each parent counts for itself, although they look like ids. */
const COUNTED = ["iid"];

/**
 * The name of a field for ids of our own, where the key of records tells them apart only below the same parents: two
 * repositories may each have a label `bug` and an issue 1. Undefined where the key is unique in the whole collection.
 */
export function ownKeyOf(
  shapes: Shapes,
  { candidate, drafts }: Drafted,
  hasParents: (draft: Drafted["drafts"][number]) => boolean,
): string | undefined {
  const { idKey, hidesId, form, record, listSpot } = candidate;
  const named = drafts.filter(({ idParameter }) => idParameter !== undefined);
  const free = () => freeIdKey([record, ...(listSpot ? [listSpot.shape] : [])]);
  if (named.length === 0 && !hidesId && drafts.every(hasParents) && takesLinks(shapes, { candidate, drafts }))
    return free();
  if (form !== undefined || hidesId || named.length === 0 || !named.every(hasParents)) return undefined;
  if (isGlobalId(idKey) && !isOfOthers(shapes, { candidate, drafts })) return undefined;
  return free();
}

/** Whether a parent is given a list of what belongs to it, by ids: `{ "data": [{ "type": "tag", "id": "1" }] }`. */
function takesLinks(shapes: Shapes, { candidate: { idKey }, drafts }: Drafted): boolean {
  return drafts.some(({ takesList, requestContent, requestAt }) => {
    const schema = takesList ? bodySchema(requestContent) : undefined;
    const list = schema && shapes.inside(shapes.of(schema), requestAt);
    const sent = list?.items && shapes.of(list.items);
    const isShort = sent !== undefined && sent.properties.size <= MOST_OF_LINK && sent.properties.has(idKey);
    return isShort || (sent !== undefined && isRequired(shapes, sent, idKey));
  });
}

/** Whether ids of this name are unique beyond the records of one parent. */
export function isGlobalId(idKey: string): boolean {
  return isIdLike(wordsIn(idKey)) && !COUNTED.includes(wordsIn(idKey).at(-1) ?? "");
}

/** Whether the ids are those of others, such as the users in a team, or chosen by clients: a PUT or POST has them. */
function isOfOthers(shapes: Shapes, { candidate: { idKey }, drafts }: Drafted): boolean {
  const wildcards = drafts.flatMap(({ idParameter }) => idParameter ?? []);
  return drafts.some(({ action, requestContent, requestAt }) => {
    if (action === "add") return true;
    const schema = action === "create" ? bodySchema(requestContent) : undefined;
    const sent = schema && shapes.inside(shapes.of(schema), requestAt);
    return sent !== undefined && [idKey, ...wildcards].some((name) => isRequired(shapes, sent, name));
  });
}

function isRequired(shapes: Shapes, sent: SchemaShape, name: string): boolean {
  const found = findAlike(sent.required, name);
  return found !== undefined && shapes.property(sent, found)?.isReadOnly === false;
}
