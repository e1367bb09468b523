import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { within } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { convertParameter, formSchema } from "./convert-parameter.ts";
import { convertResponse } from "./convert-response.ts";
import { memberElsewhere } from "./member.ts";

/** The media types of a document, for operations that name none. */
export interface DefaultTypes {
  readonly consumes: readonly string[] | undefined;
  readonly produces: readonly string[] | undefined;
}

interface Found {
  /** The path, with its parameters. */
  readonly item: Placed<JsonObject>;
  readonly key: string;
  readonly defaults: DefaultTypes;
}

/** Gives an operation of Swagger 2.0 the members of OpenAPI 3.0. */
export function convertOperation(references: References, { item, key, defaults }: Found): void {
  const operation = item.value[key] as JsonObject;
  const place = within(item.place, key);
  const parameters = mergedParameters(references, [item, { value: operation, place }]);
  operation.parameters = parameters.flatMap(({ value }) => convertParameter(value));
  const consumes = typesOf(operation.consumes) ?? defaults.consumes;
  const body = convertBody(parameters, consumes, place);
  if (body) operation.requestBody = body;
  const produces = typesOf(operation.produces) ?? defaults.produces ?? ["application/json"];
  delete operation.consumes;
  delete operation.produces;
  if (!isJsonObject(operation.responses)) return;
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).map(([code, value]): [string, Json] => {
      if (code.startsWith("x-")) return [code, value];
      const response = references.object({ value, place: within(`${place}/responses`, code) });
      return [code, response ? convertResponse(response, produces, place) : {}];
    }),
  );
}

function mergedParameters(references: References, owners: readonly Placed<JsonObject>[]): Placed<JsonObject>[] {
  const merged = new Map<string, Placed<JsonObject>>();
  for (const { value, place } of owners) {
    const list = Array.isArray(value.parameters) ? value.parameters : [];
    for (const [position, given] of list.entries()) {
      const found = references.object({ value: given, place: within(`${place}/parameters`, position) });
      if (found) merged.set(`${found.value.in} ${found.value.name}`, found);
    }
  }
  return [...merged.values()];
}

function convertBody(
  parameters: readonly Placed<JsonObject>[],
  consumes: readonly string[] | undefined,
  place: string,
): JsonObject | undefined {
  const body = parameters.find(({ value }) => value.in === "body");
  if (body) {
    const types = consumes ?? ["application/json"];
    const media: JsonObject = body.value.schema === undefined ? {} : { schema: memberElsewhere(body, "schema", place) };
    return {
      required: body.value.required === true,
      content: Object.fromEntries(types.map((type) => [type, { ...media }])),
    };
  }
  const fields = parameters.filter(({ value }) => value.in === "formData").map(({ value }) => value);
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type, format }) => type === "file" || format === "binary");
  const forms = (consumes ?? []).filter((type) => /form/i.test(type) && !(hasFile && /urlencoded/i.test(type)));
  const types = forms.length > 0 ? forms : [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"];
  return {
    required: fields.some(({ required }) => required === true),
    content: Object.fromEntries(types.map((type) => [type, { schema: formSchema(fields) }])),
  };
}

function typesOf(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
}
