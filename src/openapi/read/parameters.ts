import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";
import { PARAMETER_PLACES, type Parameter } from "./api-document.ts";
import type { PathQueryTerm } from "./path-query.ts";

/** The parameters of a path and of its operation, which replaces those of the same name and place. */
export function readParameters(references: References, owners: readonly Placed<JsonObject>[]): Parameter[] {
  const read = new Map<string, Parameter>();
  for (const { value, place } of owners) {
    const list = Array.isArray(value.parameters) ? value.parameters : [];
    for (const [position, given] of list.entries()) {
      const found = references.object({ value: given, place: within(`${place}/parameters`, position) });
      const parameter = found && readParameter(references, found);
      if (parameter) read.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...read.values()];
}

function readParameter(references: References, { value, place }: Placed<JsonObject>): Parameter | undefined {
  const at = PARAMETER_PLACES.find((known) => known === value.in);
  if (at === undefined || typeof value.name !== "string") return undefined;
  const style = typeof value.style === "string" ? value.style : at === "path" || at === "header" ? "simple" : "form";
  const [content] = Object.entries(isJsonObject(value.content) ? value.content : {});
  const media = content && references.object({ value: content[1], place: within(`${place}/content`, content[0]) });
  const described = media ?? { value, place };
  const { schema } = described.value;
  const told = [value, schema].flatMap((one) => (isJsonObject(one) && one.description ? one.description : []))[0];
  return {
    name: value.name,
    in: at,
    // A path without one of its parts is another path.
    isRequired: value.required === true || at === "path",
    style,
    explode: typeof value.explode === "boolean" ? value.explode : style === "form",
    allowReserved: value.allowReserved === true,
    schema: schema === undefined ? undefined : { value: schema, place: within(described.place, "schema") },
    contentType: content?.[0],
    description: typeof told === "string" ? told : undefined,
    role: typeof value["x-standin-role"] === "string" ? value["x-standin-role"] : undefined,
    field: typeof value["x-standin-field"] === "string" ? value["x-standin-field"] : undefined,
    pageSize: typeof value["x-standin-page-size"] === "number" ? value["x-standin-page-size"] : undefined,
    place,
  };
}

/** A parameter that is said to be in the path, but whose place there is in the query. */
export function inQuery(parameter: Parameter, query: readonly PathQueryTerm[]): Parameter {
  const term = parameter.in === "path" ? query.find(({ wildcard }) => wildcard === parameter.name) : undefined;
  return term ? { ...parameter, in: "query", name: term.name, style: "form", explode: true } : parameter;
}
