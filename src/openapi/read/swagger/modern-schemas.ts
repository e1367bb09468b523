import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { hasNames, isValueKey } from "../files/keywords.ts";

/** Writes the schemas of Swagger 2.0 as OpenAPI 3.0 does, in place. */
export function modernSchemas(root: Json): void {
  const seen = new WeakSet<object>();
  const visit = (value: Json, isNamed: boolean): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isJsonObject(value) && !isNamed) {
      if (typeof value.discriminator === "string") value.discriminator = { propertyName: value.discriminator };
      if (value["x-nullable"] === true) value.nullable = true;
      if (value.type === "file") {
        value.type = "string";
        value.format = "binary";
      }
    }
    for (const [key, inner] of Object.entries(value)) {
      if (isNamed || !isValueKey(key, inner)) visit(inner, hasNames(key, isNamed));
    }
  };
  visit(root, false);
}
