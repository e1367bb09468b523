import type { JsonObject } from "../../../base/json/json.ts";
import { type PathStep, pathText } from "../../../openapi/bind/path-shape.ts";
import { isSameNoun } from "../../../openapi/bind/words.ts";
import type { CollectionDraft } from "./seen-collection.ts";

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
        areAlike(other.records[0], draft.records[0]),
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

/** Whether two records share at least half of the fields of the smaller one. */
function areAlike(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  const [small = [], large = []] = [Object.keys(one ?? {}), Object.keys(other ?? {})].sort(
    (a, b) => a.length - b.length,
  );
  return small.length > 0 && small.filter((name) => large.includes(name)).length * 2 >= small.length;
}

function showsAll({ listed, idKey }: CollectionDraft, view: CollectionDraft): boolean {
  const shown = new Set(view.listed.map((one) => String(one[idKey])));
  return listed.every((one) => shown.has(String(one[idKey])));
}
