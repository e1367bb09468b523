import type { Json, JsonObject } from "../../json.ts";
import { mistake, within } from "../document.ts";

/** No real document is this deep, and walking one stays within the stack. */
const MAX_DEPTH = 200;

/** No document may be too deep, or lead into itself, which aliases of YAML allow. */
export function refuseShape(file: string, root: Json): void {
  const open = new Set<object>();
  const done = new WeakSet<object>();
  const path: string[] = [];
  const place = (): string => shortened(path.reduce(within, "#"));
  const visit = (value: object): void => {
    if (open.has(value)) throw mistake({ file }, place(), "an alias leads into itself.");
    if (done.has(value)) return;
    if (path.length >= MAX_DEPTH) throw mistake({ file }, place(), `nested deeper than ${MAX_DEPTH} levels.`);
    open.add(value);
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner !== "object" || inner === null) continue;
      path.push(key);
      visit(inner);
      path.pop();
    }
    open.delete(value);
    done.add(value);
  };
  if (typeof root === "object" && root !== null) visit(root);
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
