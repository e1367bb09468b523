import type { StartError } from "../../../base/errors.ts";
import { didYouMean } from "../../../base/nearest.ts";
import type { ApiDocument } from "../../read/api-document.ts";
import { parsePathTemplate } from "../../read/path-template.ts";
import type { Bindings, BoundCollection } from "../binding.ts";
import type { Pair } from "../candidate.ts";
import type { Group, Groups } from "../groups.ts";
import { pathKey, pathStepsOf, pathText } from "../path-shape.ts";
import type { BindOverride, BindOverrides } from "./overrides.ts";
import { ROLE_SETTINGS } from "./role-overrides.ts";

/** A pair of paths that the config names. */
export interface NamedPair extends Pair {
  readonly name: string;
  /** The pairs that were found without the config. */
  readonly known: BoundCollection | undefined;
  /** Further lists of its records. */
  readonly lists: readonly Group[];
  fail(problem: string, key?: string): StartError;
}

/** The pairs of paths that the config names or corrects; `found` are those that were found without it. */
export function overriddenPairs(
  { document, groups, found }: { readonly document: ApiDocument; readonly groups: Groups; readonly found: Bindings },
  { collections, fail }: BindOverrides,
): NamedPair[] {
  return [...collections].flatMap(([name, override]): NamedPair[] => {
    const known = found.collections.find((collection) => collection.name === name);
    const isNew = override !== false && (override.list !== undefined || override.item !== undefined);
    if (!known && !isNew) {
      const names = found.collections.map((collection) => collection.name);
      const form = 'To bind others, give their paths: { "list": "/pets", "item": "/pets/{petId}" }.';
      throw fail(name, "", `no such collection was found in ${document.file}.${didYouMean(name, names)} ${form}`);
    }
    if (override === false) return [];
    if (known?.isSingle) {
      const problem = changeOfSingle(known, override);
      if (problem !== undefined) throw fail(name, problem, SINGLE_IS_FOUND);
      return [];
    }
    const named = { name, known, wanted: override, fail: (problem: string, key = "") => fail(name, key, problem) };
    const isOfRoles = Object.keys(override).every((key) => ROLE_SETTINGS.some((one) => one === key));
    return isOfRoles ? [] : [pairFor(document, groups, named)];
  });
}

const SINGLE_IS_FOUND = "one record at a path is bound as it was found, or not at all: false.";

/** The setting that says something else of the one record of a path than what was found. */
function changeOfSingle({ operations }: BoundCollection, override: BindOverride): keyof BindOverride | undefined {
  const { item, itemAt, ...others } = override;
  const read = operations.find(({ action }) => action === "read");
  if (item !== undefined && item !== read?.operation.path.text) return "item";
  if (itemAt !== undefined && itemAt.join(".") !== read?.at?.join(".")) return "itemAt";
  return (Object.keys(others) as (keyof BindOverride)[])[0];
}

function pairFor(
  document: ApiDocument,
  groups: Groups,
  named: Pick<NamedPair, "name" | "known" | "fail"> & { readonly wanted: BindOverride },
): NamedPair {
  const { name, known, wanted, fail } = named;
  const at = (path: string | undefined, key: string): Group | undefined => {
    const group = path === undefined ? undefined : findGroup(document, groups, path);
    if (path !== undefined && !group) {
      const paths = [...groups.all()].map(({ steps }) => pathText(steps));
      throw fail(`${document.file} has no path "${path}".${didYouMean(path, paths)}`, key);
    }
    return group;
  };
  const pathOf = (isItem: boolean): string | undefined =>
    known?.operations.find(({ action }) => (action === "list" || action === "create") !== isItem)?.operation.path.text;
  const list = at(wanted.list ?? pathOf(false), "list");
  const item = at(wanted.item ?? (wanted.list === undefined ? pathOf(true) : undefined), "item");
  const below = item ?? (list && groups.itemBelow(list.key));
  const steps = list?.steps ?? below!.steps.slice(0, -1);
  const last = steps.findLast((step) => step.kind === "fixed");
  const lists = (wanted.lists ?? []).flatMap((path) => at(path, "lists") ?? []);
  return {
    ...named,
    lists,
    segment: last?.kind === "fixed" ? last.text : name,
    steps,
    list: list ?? groups.at(pathKey(steps)),
    item: below,
  };
}

/** Paths may be given with the base path in front. */
function findGroup({ basePaths }: ApiDocument, groups: Groups, path: string): Group | undefined {
  for (const base of ["", ...basePaths]) {
    if (!path.startsWith(base)) continue;
    const steps = pathStepsOf(parsePathTemplate(path.slice(base.length), "single"));
    const group = steps && groups.at(pathKey(steps));
    if (group) return group;
  }
  return undefined;
}

/** Without the collections that the config refuses. */
export function withoutRefused({ collections, unbound }: Bindings, overrides: BindOverrides): Bindings {
  const isRefused = ({ name }: BoundCollection): boolean => overrides.collections.get(name) === false;
  const refused = collections.filter(isRefused).flatMap(({ operations }) => operations);
  return {
    collections: collections.filter((collection) => !isRefused(collection)),
    unbound: [...unbound, ...refused.map(({ operation }) => ({ operation, why: "the config says so" }))],
  };
}
