import type { Placed } from "../../../schema/references.ts";

interface Chosen {
  /** Of the parameter. */
  readonly name: string;
  /** The field that the list is in. */
  readonly list: string | undefined;
  readonly properties: ReadonlyMap<string, Placed> | undefined;
  /** The path of a field in JSON:API's `attributes`. */
  readonly attributeNamed: (name: string) => string | undefined;
}

/** Of JSON:API's records, these parts have the fields that can be chosen. */
const PARTS = ["attributes", "relationships"];

/** `id,name`, `id;name`, `buyer(id,name)` and, of a list in `items`, `items.id`. Words that are no field, such as `all`, choose none. */
export function addFields(
  translated: Map<string, readonly string[]>,
  values: readonly string[],
  { name, list, properties, attributeNamed }: Chosen,
): void {
  const front = list === undefined || properties?.has(list) ? "" : `${list}.`;
  const names = values.flatMap(pathsIn).map((one) => (one.startsWith(front) ? one.slice(front.length) : one));
  if (name.startsWith("fields[") && properties) {
    const around = [...properties.keys()].filter((key) => !PARTS.includes(key));
    const paths = names.map((one) => attributeNamed(one) ?? `relationships.${one}`);
    translated.set("_fields", [[...around, ...paths].join(",")]);
    return;
  }
  const isKnown = !properties || names.some((one) => properties.has(one.split(/[./]/, 1)[0] ?? ""));
  const sign = /exclude/i.test(name) ? "-" : "";
  if (isKnown) translated.set("_fields", [names.map((one) => sign + one).join(",")]);
}

/** `a.b` and `a.c` for `a(b,c)`. */
function pathsIn(text: string): string[] {
  const paths: string[] = [];
  const around = [""];
  for (const [, name = "", sign] of text.matchAll(/([^,;()]*)([,;()]|$)/g)) {
    const path = `${around.at(-1)}${name.trim()}`;
    if (sign === "(") around.push(`${path}.`);
    else if (name.trim() !== "") paths.push(path);
    if (sign === ")" && around.length > 1) around.pop();
  }
  return paths;
}
