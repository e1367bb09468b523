import type { Json } from "../../../base/json/json.ts";
import { equality } from "../../../query/operators/eq.ts";
import { type Path, valueAt } from "../../../query/path.ts";
import type { Filter } from "../../../query/query.ts";
import { deepestParents, pathOf } from "../parents/parents.ts";
import type { EmbeddedList } from "./embedded-list.ts";

/** A field of a parent and one of its child that name the same record above both. */
interface SharedOwner {
  readonly ofParent: Path;
  readonly ofChild: Path;
}

/** The fields that say which one of several parents with the same key is meant: the repository of an issue. */
function sharedOwners({ parent, child }: EmbeddedList): SharedOwner[] {
  if (parent.ownKey === undefined) return [];
  const others = deepestParents(child);
  return deepestParents(parent).flatMap((own) => {
    const same = others.find(({ parameter }) => parameter === own.parameter);
    return same ? [{ ofParent: pathOf(own), ofChild: pathOf(same) }] : [];
  });
}

/** The children of the same owners as a parent. */
export function childrenLike(list: EmbeddedList, parent: Json): Filter[] {
  return sharedOwners(list).flatMap(({ ofParent, ofChild }) => equalTo(ofChild, valueAt(parent, ofParent)));
}

/** The parents of the same owners as a child. */
export function parentsLike(list: EmbeddedList, child: Json): Filter[] {
  return sharedOwners(list).flatMap(({ ofParent, ofChild }) => equalTo(ofParent, valueAt(child, ofChild)));
}

function equalTo(path: Path, held: Json | undefined): Filter[] {
  const isKey = typeof held === "string" || typeof held === "number";
  return isKey ? [{ ...equality(path, [String(held)]), isFromPath: true }] : [];
}
