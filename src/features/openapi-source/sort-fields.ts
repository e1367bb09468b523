import { plainName } from "../../openapi/bind/words.ts";
import type { Placed } from "../../schema/references.ts";

export const DIRECTION = /^(?:(?:asc|desc)(?:ending)?|-?1)$/i;

/** `name`, `-name`, `name:desc`, `name desc` and `name,desc`. Fields that records do not have are left out. */
export function addSort(
  translated: Map<string, readonly string[]>,
  values: readonly string[],
  fieldOf: (name: string) => string | undefined,
): void {
  const names: string[] = [];
  for (const word of values.join(",").split(",")) {
    const [text = "", direction = ""] = word.trim().split(/[:\s|]+/);
    const former = names.at(-1);
    if (former !== undefined && DIRECTION.test(text)) {
      if (/^desc/i.test(text)) names[names.length - 1] = `-${former.replace(/^-/, "")}`;
      continue;
    }
    const field = fieldOf(text.replace(/^[-+]/, ""));
    if (field !== undefined) names.push(text.startsWith("-") || /^desc/i.test(direction) ? `-${field}` : field);
  }
  if (names.length > 0) translated.set("_sort", [names.join(",")]);
}

/** The property that a name means, whatever its spelling. */
export function fieldNamed(
  properties: ReadonlyMap<string, Placed> | undefined,
  name: string,
  isKnown = false,
): string | undefined {
  if (name === "" || (isKnown && !properties)) return undefined;
  if (!properties || properties.has(name)) return name;
  const plain = plainName(name);
  return [...properties.keys()].find((key) => plainName(key) === plain);
}

/** The property that a list is sorted by: `created` may be `created_at`. */
export function sortField(properties: ReadonlyMap<string, Placed> | undefined, name: string): string | undefined {
  const field = fieldNamed(properties, name);
  if (field !== undefined) return field;
  for (const end of ["at", "on", "date", "time"]) {
    const time = fieldNamed(properties, `${name}_${end}`, true);
    if (time !== undefined) return time;
  }
  return undefined;
}
