import type { JsonObject } from "../../../../base/json/json.ts";
import { TEXT } from "../../../../openapi/write/parts.ts";
import { LENIENT, lenient } from "./ruled-operations.ts";

/** The headers of responses to writes that rules judge, each with its description and schema. */
export const RULED_HEADERS: Readonly<Record<string, readonly [description: string, schema: JsonObject]>> = {
  Warning: ["The rules that the record breaks, with `Prefer: handling=lenient`.", TEXT],
};

/** Parameters of writes in the form for members with rules. */
export function ruledParameters(parameters: Readonly<Record<string, JsonObject>>): JsonObject {
  const more = "`handling=lenient` writes a record that breaks its schema, with a `Warning`.";
  return Object.fromEntries(
    LENIENT.map((name) => {
      const { description, ...parameter } = parameters[name]!;
      return [lenient(name), { ...parameter, description: `${description as string} ${more}` }];
    }),
  );
}
