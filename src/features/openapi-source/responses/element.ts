import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { OperationContext } from "../operation-context.ts";

/** Puts the text of a record into an element around it. */
export type WrapElement = (text: string) => string;

/** Prepares the element around each record of a list; undefined where records are the elements. */
export function createElement(
  tools: Pick<OperationContext, "sample">,
  { wrapper, at = [] }: BoundOperation,
  body: Json | undefined,
): WrapElement | undefined {
  if (!wrapper) return undefined;
  const given = firstElement(body, at) ?? tools.sample(wrapper.schema, wrapper.schema.place);
  const [before, after] = around(isJsonObject(given) ? given : {}, wrapper.at);
  return (text) => before + text + after;
}

function firstElement(body: Json | undefined, at: readonly string[]): Json | undefined {
  const list = body === undefined ? undefined : valueAtPointer(body, at);
  return Array.isArray(list) ? list[0] : undefined;
}

/** The texts before and after the value that a path leads to. */
function around(value: JsonObject, [name = "", ...path]: readonly string[]): [before: string, after: string] {
  const names = Object.keys(value);
  const members = (names.includes(name) ? names : [...names, name]).map((key): [string, string] => {
    const start = `${JSON.stringify(key)}:`;
    if (key !== name) return [start + stringifyJson(value[key]), ""];
    const inner = value[key];
    const [before, after] = path.length === 0 ? ["", ""] : around(isJsonObject(inner) ? inner : {}, path);
    return [start + before, after];
  });
  const position = names.includes(name) ? names.indexOf(name) : names.length;
  const [before, after] = members[position]!;
  const text = (some: readonly [string, string][]): string[] => some.map(([whole]) => whole);
  return [
    `{${[...text(members.slice(0, position)), before].join(",")}`,
    `${[after, ...text(members.slice(position + 1))].join(",")}}`,
  ];
}
