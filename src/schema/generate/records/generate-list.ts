import { canonicalText } from "../../../base/json/equality.ts";
import type { Json } from "../../../base/json/json.ts";
import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { within } from "../../pointer.ts";
import type { SchemaNode } from "../../schema-tree.ts";
import { isDeep, type Making, type Spot } from "./making.ts";

const FIRST_TRIES = 60;
const MAX_TRIES = 5000;
const MAX_ITEMS = 100_000;

/** A list with as many items as asked for, each of which passes its schemas. */
export function generateList(constraints: Constraints, spot: Spot, making: Making): Json[] {
  const { minItems, maxItems, prefixes, contains } = constraints;
  const { pointer } = spot;
  if (minItems > maxItems) {
    throw new Unsatisfiable(pointer, "maxItems", `it is ${maxItems}, but minItems is ${minItems}`);
  }
  if (minItems > MAX_ITEMS) {
    throw new Unsatisfiable(pointer, "minItems", `lists of more than ${MAX_ITEMS} items are not generated`);
  }
  const prefix = Math.max(0, ...prefixes.map((nodes) => nodes.length));
  // Items that must be there are put behind the first ones, which have schemas of their own.
  const wanted = contains.flatMap(({ node, least }) => Array.from({ length: least }, () => node));
  const least = Math.max(minItems, wanted.length === 0 ? 0 : prefix + wanted.length);
  if (least > maxItems) return withinPrefix(constraints, spot, making, wanted);
  const usual = isDeep(spot, making) ? least : making.habits.items(Math.max(least, prefix), spot, making.random);
  const length = Math.min(maxItems, usual);
  const list: Json[] = [];
  const seen = new Set<string>();
  while (list.length < length) {
    const position = list.length;
    const must = position >= prefix ? wanted[position - prefix] : undefined;
    const own = nodesAt(constraints, position);
    const nodes = must ? [...own, must] : own;
    const item = itemFor(nodes, position, { seen, constraints, spot, making, isNeeded: position < least });
    if (item === undefined) break;
    list.push(item);
  }
  return list;
}

/** Few items are allowed, so those of `contains` must be among the first ones. */
function withinPrefix(constraints: Constraints, spot: Spot, making: Making, wanted: readonly SchemaNode[]): Json[] {
  const length = Math.max(constraints.minItems, Math.min(constraints.maxItems, wanted.length));
  const list: Json[] = [];
  const seen = new Set<string>();
  for (let position = 0; position < length; position++) {
    const must = wanted[position];
    const own = nodesAt(constraints, position);
    const nodes = must ? [...own, must] : own;
    list.push(itemFor(nodes, position, { seen, constraints, spot, making, isNeeded: true })!);
  }
  if (list.length < wanted.length) throw new Unsatisfiable(spot.pointer, "contains", "maxItems leaves no room for it");
  return list;
}

/** The schemas of the item at a position. */
export function nodesAt({ prefixes, items, itemNodes }: Constraints, position: number): readonly SchemaNode[] {
  const prefix = Math.max(0, ...prefixes.map((nodes) => nodes.length));
  const place = Math.min(position, prefix);
  const former = itemNodes.get(place);
  if (former) return former;
  const first = prefixes.flatMap((nodes) => nodes[place] ?? []);
  const found = [...first, ...items.flatMap(({ node, from }) => (place >= from ? [node] : []))];
  itemNodes.set(place, found);
  return found;
}

interface ItemWork {
  /** The texts of the items so far, where all must differ. */
  readonly seen: Set<string>;
  readonly constraints: Constraints;
  readonly spot: Spot;
  readonly making: Making;
  readonly isNeeded: boolean;
}

/** Undefined where an item that is not needed cannot be had. */
function itemFor(nodes: readonly SchemaNode[], position: number, work: ItemWork): Json | undefined {
  const { seen, constraints, spot, making, isNeeded } = work;
  const pointer = within(spot.pointer, String(position));
  // The last of a few possible items needs patience.
  const most = Math.min(MAX_TRIES, FIRST_TRIES + seen.size * 20);
  for (let tries = 0; tries < most; tries++) {
    try {
      const isVaried = constraints.isUniqueItems && seen.size > 0;
      const item = making.generate(nodes, { ...spot, pointer, depth: spot.depth + 1, isVaried, isBare: false });
      if (!constraints.isUniqueItems) return item;
      const text = canonicalText(item);
      if (seen.has(text)) continue;
      seen.add(text);
      return item;
    } catch (thrown) {
      if (isNeeded || !(thrown instanceof Unsatisfiable) || thrown.rule === "complexity") throw thrown;
      return undefined;
    }
  }
  if (!isNeeded) return undefined;
  throw new Unsatisfiable(pointer, "uniqueItems", "no further item was found that differs from the others");
}
