import type { Placed } from "../../schema/references.ts";

interface Chosen {
  /** Of the parameter. */
  readonly name: string;
  /** The field that the list is in. */
  readonly list: string | undefined;
  readonly properties: ReadonlyMap<string, Placed> | undefined;
}

/** `id,name`, `id;name` and, of a list in `items`, `items.id`. Words that are no field, such as `all`, choose none. */
export function addFields(
  translated: Map<string, readonly string[]>,
  values: readonly string[],
  { name, list, properties }: Chosen,
): void {
  const front = list === undefined || properties?.has(list) ? "" : `${list}.`;
  const names = values
    .flatMap((one) => one.split(/[,;]/))
    .map((one) => (one.startsWith(front) ? one.slice(front.length) : one).trim());
  const isKnown = !properties || names.some((one) => properties.has(one.split(/[./(]/, 1)[0] ?? ""));
  const sign = /exclude/i.test(name) ? "-" : "";
  if (isKnown) translated.set("_fields", [names.map((one) => sign + one).join(",")]);
}
