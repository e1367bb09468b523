import type { Json, JsonObject } from "../../../base/json/json.ts";
import { within } from "../../../schema/pointer.ts";
import { mistake } from "../document.ts";

/** No real document is this deep, and walking one stays within the stack. */
export const MAX_DEPTH = 200;
/** However often aliases repeat a part, the whole must be one that can be walked and sent. */
const MAX_VALUES = 5_000_000;

/** No document may be too deep, or lead into itself or grow beyond measure, which aliases of YAML allow. */
export function refuseShape(file: string, root: Json): void {
  const open = new Set<object>();
  /** How many values each object stands for. */
  const sizes = new Map<object, number>();
  const path: string[] = [];
  const place = (): string => shortened(path.reduce(within, "#"));
  const sizeOf = (value: object): number => {
    if (open.has(value)) throw mistake({ file }, place(), "an alias leads into itself.");
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (path.length >= MAX_DEPTH) throw mistake({ file }, place(), `nested deeper than ${MAX_DEPTH} levels.`);
    open.add(value);
    let size = 1;
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner !== "object" || inner === null) {
        size++;
        continue;
      }
      path.push(key);
      size += sizeOf(inner);
      path.pop();
      if (size > MAX_VALUES) throw mistake({ file }, place(), `its aliases make more than ${MAX_VALUES} values of it.`);
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  if (typeof root === "object" && root !== null) sizeOf(root);
}

/** The same for what JSON was parsed to, which leads nowhere twice. */
export function refuseDepth(file: string, root: Json): void {
  if (isDeeper(root, MAX_DEPTH)) refuseShape(file, root);
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as JsonObject)[key]!, levels - 1)) return true;
  return false;
}

function shortened(place: string): string {
  return place.length > 100 ? `${place.slice(0, 100)}...` : place;
}
