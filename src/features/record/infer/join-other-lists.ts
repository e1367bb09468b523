import { type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import { type PathStep, pathText } from "../../../openapi/bind/path-shape.ts";
import { isSameNoun } from "../../../openapi/bind/words.ts";
import type { CollectionDraft } from "./seen-collection.ts";
import { areAlike } from "./spots.ts";

/**
 * A list below a parent, such as `/companies/{companyId}/products`, is another one of the collection of that noun. One at a
 * word below the list, such as `/orders/open`, is a view of it: another list where it shows all records, else no collection.
 * `views` are those whose records say no id of their own.
 */
export function joinOtherLists(
  drafts: readonly CollectionDraft[],
  views: readonly CollectionDraft[],
): CollectionDraft[] {
  const join = (draft: CollectionDraft): boolean => {
    if (draft.hasItems || draft.hidesId || draft.name !== undefined) return false;
    const owner = drafts.find(
      (other) =>
        other.idKey === draft.idKey &&
        mayListSame(other, draft.listSteps) &&
        areAlike(other.records[0], draft.records[0]) &&
        !contradicts(other, draft),
    );
    if (owner && (isNested(draft.listSteps) || showsAll(owner, draft))) owner.otherLists.set(draft.listPath, draft);
    return owner !== undefined;
  };
  const joined = new Set(views.filter(join).map(({ listPath }) => listPath));
  return drafts.filter((draft) => !joined.has(draft.listPath) && !join(draft));
}

/** Whether the path of a list says that it has the records of a collection. */
export function mayListSame({ listSteps, listPath, segment }: CollectionDraft, steps: readonly PathStep[]): boolean {
  if (listSteps.length >= steps.length) return false;
  const last = steps.at(-1);
  if (isNested(steps)) return last?.kind === "fixed" && isSameNoun(segment, last.text);
  return pathText(steps).startsWith(`${listPath}/`);
}

function isNested(steps: readonly PathStep[]): boolean {
  return steps.some(({ kind }) => kind === "wildcard");
}

/** Whether most records with the same ids differ: the two lists number their records apart. */
function contradicts({ records, idKey }: CollectionDraft, { listed }: CollectionDraft): boolean {
  const isSame = (one: JsonObject, other: JsonObject): boolean =>
    Object.entries(one).every(([name, value]) => stringifyJson(other[name] ?? value) === stringifyJson(value));
  const known = listed.flatMap((row) => {
    const versions = records.filter((one) => String(one[idKey]) === String(row[idKey]));
    return versions.length === 0 ? [] : [versions.some((one) => isSame(row, one))];
  });
  return known.filter((isKnown) => !isKnown).length * 2 > known.length;
}

function showsAll({ listed, idKey }: CollectionDraft, view: CollectionDraft): boolean {
  const shown = new Set(view.listed.map((one) => String(one[idKey])));
  return listed.every((one) => shown.has(String(one[idKey])));
}
