import { askJson } from "../../api/ask.ts";
import { memberPath } from "../../api/collections.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { draftOf, type FieldDraft, isBlank, problemIn, valueIn } from "./field-drafts.ts";

/** Asks the server for a record of a collection with the fields given and the rest made up. It is not stored. */
export function draftFor(collection: string, fields: JsonObject): Promise<JsonObject> {
  return askJson<JsonObject>("POST", `${memberPath(collection)}/draft`, { body: fields });
}

/** Whether filling in changes a field: it is empty, or was filled in before and not edited since. */
export function isFillable(draft: FieldDraft): boolean {
  return draft.name !== "" && (isBlank(draft) || draft.isFilled === true);
}

/** The fields that stay as they are, so that those made up fit them. Input that is not valid yet is not sent. */
export function knownFields(drafts: readonly FieldDraft[], only?: string): JsonObject {
  const kept = drafts.filter((draft) => !isWanted(draft, only) && !isBlank(draft) && !problemIn([draft]));
  return Object.fromEntries(kept.map((draft) => [draft.name, valueIn(draft) as Json]));
}

/** The drafts with the values made up; with `only`, in that field alone, even if it is not empty. */
export function fillIn(drafts: readonly FieldDraft[], made: JsonObject, only?: string): FieldDraft[] {
  return drafts.map((draft) => {
    const value = isWanted(draft, only) && Object.hasOwn(made, draft.name) ? made[draft.name] : undefined;
    if (value === undefined) return draft;
    const { name, isAdded, isSpare } = draft;
    return { ...draftOf(name, value), ...(isAdded && { isAdded }), ...(isSpare && { isSpare }), isFilled: true };
  });
}

function isWanted(draft: FieldDraft, only: string | undefined): boolean {
  return only === undefined ? isFillable(draft) : draft.name === only;
}
