import type { JsonObject } from "../../../base/json/json.ts";
import type { PathStep } from "../../../openapi/bind/path-shape.ts";
import type { Reason } from "./reason.ts";

/** Operations that read and write records. */
export interface SeenCollection {
  readonly name: string;
  readonly listSteps: readonly PathStep[];
  readonly itemSteps: readonly PathStep[];
  readonly listPath: string;
  readonly itemPath: string;
  readonly idKey: string;
  /** Whether only paths tell the id: no body shows it. */
  readonly hidesId: boolean;
  /** Whether its list shows ids instead of records: `["main", "next"]`. */
  readonly listsIds: boolean;
  /** Where the list stands in its response, and the record in that of its own path. */
  readonly at: readonly string[];
  readonly itemAt: readonly string[];
  /** Whether paths of single records were seen. */
  readonly hasItems: boolean;
  /** Further paths that list its records. */
  readonly otherLists: ReadonlyMap<string, OtherList>;
  /** Wildcards of its paths that no field of its records has, by their position. */
  readonly hiddenParents: ReadonlyMap<number, string>;
}

/** Another list of a collection: where it stands in its response, and its wildcards that no field of the records has. */
export type OtherList = Pick<SeenCollection, "at" | "hiddenParents" | "listsIds" | "listSteps">;

/** The list of a collection at a path; undefined where it has none there. */
export function listAtPath(collection: SeenCollection, path: string): OtherList | undefined {
  return path === collection.listPath ? collection : collection.otherLists.get(path);
}

/** A collection in the making. */
export interface CollectionDraft extends Omit<SeenCollection, "name" | "otherLists"> {
  readonly segment: string;
  readonly name: string | undefined;
  /** The records of its lists, and with those of their own path. */
  readonly listed: readonly JsonObject[];
  readonly records: readonly JsonObject[];
  readonly reasons: readonly Omit<Reason, "about">[];
  readonly otherLists: Map<string, OtherList>;
}
