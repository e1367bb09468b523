import { isJsonObject } from "../../../base/json/json.ts";
import type { Operation, Parameter } from "../../read/api-document.ts";
import type { Shapes } from "../schema-shape.ts";
import { plainName } from "../words.ts";

/** The query parameters of an operation by the names that requests have: those of an object stand for its properties. */
export function queryNames(shapes: Shapes, { parameters }: Pick<Operation, "parameters">): Parameter[] {
  return parameters.flatMap((parameter): Parameter[] => {
    if (parameter.in !== "query") return [];
    const { name, schema, style, explode, contentType } = parameter;
    const shape = schema && shapes.of(schema);
    const { description: told } = isJsonObject(shape?.schema.value) ? shape.schema.value : {};
    const description = parameter.description ?? (typeof told === "string" ? told : undefined);
    const own = description === undefined ? parameter : { ...parameter, description };
    const { kind, properties } = (contentType === undefined && shape) || {};
    if (!properties || properties.size === 0 || kind === "array") return [own];
    const isSpread = kind === "object" && style === "form" && explode && ![...properties.keys()].some(isComparison);
    const inner = [...properties].map(([key, property]) => {
      const written = isSpread ? key : `${name}[${key}]`;
      return { ...parameter, name: written, schema: property, isRequired: false, style: "form", explode: true };
    });
    return [parameter, ...inner];
  });
}

/** Whether a parameter changes the form of a response, and not the records in it. */
export function shapesResponse(name: string): boolean {
  return /^(?:expand|include|embed|lang|locale|format|view|fieldset)$/.test(plainName(name));
}

/** "Current page number. Informational only" */
export function changesNothing({ description = "" }: Parameter): boolean {
  return /\binformational only\b/i.test(description);
}

/** `created: { $gte, $lte }`: alone, its properties would not say what they compare. */
function isComparison(name: string): boolean {
  return /^\$?(?:[gl]te?|eq|ne|n?in)$/.test(name);
}
