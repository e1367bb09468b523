import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { type Placed, partsOf, type References } from "../../../schema/references.ts";
import { once } from "../once.ts";
import { schemaFields } from "../schema-fields.ts";

interface FormTools {
  passes(schema: Placed, value: Json): boolean;
  samplePart(schema: Placed, purpose: string): Json | undefined;
}

/**
 * Lets a new record have one of the forms that a part of its schema demands beside its own fields (`allOf` with a `oneOf`
 * in it): the one that requires least, as an open comment does and a resolved one does not.
 */
export function createRequiredForms(
  references: References,
  record: Placed,
  { passes, samplePart }: FormTools,
): (value: JsonObject, id: string) => JsonObject {
  const choices = once(() => choicesIn(references, record));
  return (value, id) => {
    let found = value;
    for (const forms of choices()) {
      if (forms.some(({ schema }) => passes(schema, found))) continue;
      for (const form of forms) {
        const filled = { ...found };
        for (const [name, schema] of form.required) {
          const made = Object.hasOwn(filled, name) ? undefined : samplePart(schema, `${schema.place}/${name}/${id}`);
          if (made !== undefined) filled[name] = made;
        }
        if (!passes(form.schema, filled)) continue;
        found = filled;
        break;
      }
    }
    return found;
  };
}

interface Form {
  readonly schema: Placed;
  readonly required: readonly (readonly [name: string, schema: Placed])[];
}

/** The forms that each part of a schema allows; none where the schema is nothing but one of several. */
function choicesIn(references: References, record: Placed): (readonly Form[])[] {
  const parts = partsOf(record, references);
  if (parts.length < 2) return [];
  return parts.flatMap(({ value, place }) => {
    const forms = ["oneOf", "anyOf"].flatMap((name) =>
      (Array.isArray(value[name]) ? value[name] : []).flatMap((one, position): Form[] => {
        const schema = references.follow({ value: one, place: `${place}/${name}/${position}` });
        const fields = isJsonObject(schema.value) ? schemaFields(references, schema) : undefined;
        const required = [...(fields?.required ?? [])].flatMap((key): [string, Placed][] => {
          const property = fields?.properties.get(key);
          return property ? [[key, property]] : [];
        });
        return fields ? [{ schema, required }] : [];
      }),
    );
    return forms.length > 1 ? [forms.toSorted((a, b) => a.required.length - b.required.length)] : [];
  });
}
