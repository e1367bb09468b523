import { isJsonObject, type Json, type JsonObject, toJson } from "../../../../base/json/json.ts";
import { type DescribedMember, type Description, relationsOf } from "../../../../schema/description/description.ts";
import type { Definitions, RuledMember } from "../../../../schema/description/rules/definitions.ts";
import { isTyping } from "../../../../schema/description/rules/is-typing.ts";
import { mergedSchemas, othersOf } from "../../../../schema/description/rules/schema-types.ts";
import { inferredSchema } from "../../../../schema/inference/inferred-schema.ts";
import type { Schema } from "../../../../schema/references.ts";
import { fieldNamesIn } from "../../../../schema/rules/inner-schemas.ts";
import type { CollectionSettings } from "../../../../store/collection-settings.ts";
import { completedBody, completedRecord } from "../completed-fields.ts";
import { FILE_REFERENCE } from "../file-content.ts";
import { type FilledFields, someFields, withoutFilled } from "./body-forms.ts";
import { componentSchema } from "./components.ts";

const UNRULED = "Not in the rules: any value is accepted.";

export interface RuledFacts {
  readonly member: DescribedMember & RuledMember;
  readonly description: Description;
  readonly settings: CollectionSettings;
}

/** The schemas of records that keep rules, and of the bodies that make and change them. */
export class RuledSchemas {
  readonly #facts: RuledFacts;
  readonly #definitions: Definitions;
  readonly #resolve: (ref: string) => Schema;
  /** The id of a collection's records. */
  readonly #ids: readonly string[];
  readonly #times: readonly string[];
  /** Fields beside those that the rules name. */
  readonly #added: readonly string[];

  constructor(facts: RuledFacts) {
    const { member, description } = facts;
    const { schema, references, unique } = member.rules;
    const definitions = description.definitions!;
    this.#facts = facts;
    this.#definitions = definitions;
    this.#resolve = (ref) => definitions.resolve(member.name, ref);
    const named = fieldNamesIn(schema, this.#resolve);
    this.#ids = member.idKey === undefined ? [] : [member.idKey];
    const { created, updated } = facts.settings.timestamps ?? {};
    this.#times = [created, updated].filter((field) => field !== undefined);
    const seen = [...this.#ids, ...Object.keys(references), ...unique, ...member.shape.fields.keys()];
    const merged = mergedSchemas([{ schema, at: "#" }], definitions.treeOf(member.name));
    const others = (merged && othersOf(merged)) ?? true;
    this.#added = others === true ? [...new Set(seen)].filter((name) => !named.has(name)) : [];
  }

  /** The schema of records as the server sends them. */
  record(): JsonObject {
    const { member, settings } = this.#facts;
    const { schema } = member.rules;
    const made = this.#complete({ type: "object", ...schema }, (name) => this.#seen(name));
    const isEverywhere = (id: string): boolean => member.shape.objects === 0 || member.shape.isRequired(id);
    const required = new Set([...this.#ids.filter(isEverywhere), ...((made.required ?? []) as string[])]);
    const properties = Object.entries((made.properties ?? {}) as Record<string, Json>).map(([name, property]) => {
      const isTold = typeof property === "boolean" || isTyping(property as JsonObject);
      return [name, isTold ? property : { ...this.#seen(name), ...(property as JsonObject) }];
    });
    const record = {
      ...made,
      properties: Object.fromEntries(properties) as JsonObject,
      ...(required.size > 0 && { required: [...required] }),
    };
    return this.#ruled(completedRecord(record, settings));
  }

  /** The schema of bodies that create records: it does not require fields that the server fills in. */
  input(given: readonly string[] = []): JsonObject {
    const { settings } = this.#facts;
    const filled = { names: [...this.#ids, ...this.#times, ...given], defaults: settings.defaults ?? {} };
    return this.#ruled(completedBody(this.#body(filled), settings));
  }

  /** The schema of bodies that replace a record, which gets no defaults. */
  replacement(): JsonObject {
    return this.#withTimesKept(this.#body({ names: [...this.#ids, ...this.#times], defaults: {} }));
  }

  /** The schema of bodies with some fields of a record. */
  patch(): JsonObject {
    const part = someFields(this.#facts.member.rules.schema, this.#resolve) as JsonObject;
    return this.#withTimesKept(this.#complete({ ...part, type: "object" }, (name) => this.#any(name)));
  }

  #body(filled: FilledFields): JsonObject {
    const schema = withoutFilled(this.#facts.member.rules.schema, filled, this.#resolve);
    return this.#complete({ ...schema, type: "object" }, (name) => this.#any(name));
  }

  /** A change leaves timestamps to the server, whatever they are in the body. */
  #withTimesKept(schema: JsonObject): JsonObject {
    if (this.#times.length === 0) return schema;
    const times = this.#times.map((field) => [field, { description: "Set by the server; ignored in the body." }]);
    return { ...schema, properties: { ...((schema.properties ?? {}) as JsonObject), ...Object.fromEntries(times) } };
  }

  /** The type in the schema makes a part of a reference alone, so that others can stand beside it. */
  #complete(schema: JsonObject, add: (name: string) => JsonObject): JsonObject {
    const { member } = this.#facts;
    const { references, unique } = member.rules;
    const made = componentSchema(schema, member, this.#definitions) as JsonObject;
    const added = Object.fromEntries(this.#added.map((name) => [name, add(name)]));
    const ids = Object.entries(added).filter(([name]) => this.#ids.includes(name));
    const all: JsonObject = { ...Object.fromEntries(ids), ...((made.properties ?? {}) as JsonObject), ...added };
    const noted = Object.entries(all).map(([name, property]) => [name, this.#noted(name, property)]);
    return {
      ...made,
      ...(noted.length > 0 && { properties: Object.fromEntries(noted) as JsonObject }),
      ...(unique.length > 0 && { "x-unique": [...unique] }),
      ...(Object.keys(references).length > 0 && { "x-references": toJson(references) }),
    };
  }

  #noted(name: string, property: Json): Json {
    const { member, description } = this.#facts;
    const { references, unique } = member.rules;
    const relation = relationsOf(description.relations, member.name).find(
      ({ from, field }) => from === member.name && field === name,
    );
    const target = references[name]?.collection ?? relation?.to;
    const ruleText = isJsonObject(property) ? property.description : undefined;
    const notes = [ruleText, target && `Refers to ${target}.`, unique.includes(name) ? "Unique." : undefined];
    const text = notes.filter((note) => note !== undefined).join(" ");
    if (text === "" || text === ruleText || property === false) return property;
    return { ...(isJsonObject(property) ? property : {}), description: text };
  }

  #isNoted(name: string): boolean {
    const { references, unique } = this.#facts.member.rules;
    return unique.includes(name) || Object.hasOwn(references, name);
  }

  /** A field as the data has it. */
  #seen(name: string): JsonObject {
    const shape = this.#facts.member.shape.fields.get(name);
    if (shape) return inferredSchema(shape, { file: FILE_REFERENCE });
    return this.#ids.includes(name) ? { type: ["integer", "string"] } : {};
  }

  #any(name: string): JsonObject {
    if (this.#ids.includes(name)) return { type: ["number", "string", "null"] };
    return this.#facts.member.shape.fields.has(name) && !this.#isNoted(name) ? { description: UNRULED } : {};
  }

  /** The rules for a field take precedence over the facts that the server knows about it. */
  #ruled(schema: JsonObject): JsonObject {
    const { properties } = this.#facts.member.rules.schema;
    if (!properties || !schema.properties) return schema;
    const component = componentSchema({ properties }, this.#facts.member, this.#definitions) as JsonObject;
    const ruledProperties = component.properties as JsonObject;
    const merged = Object.entries(schema.properties as JsonObject).map(([name, property]) => {
      const ruled = Object.hasOwn(ruledProperties, name) ? ruledProperties[name] : undefined;
      if (!isJsonObject(property) || !isJsonObject(ruled)) return [name, property];
      const { description: _, ...keywords } = ruled;
      return [name, { ...property, ...keywords }];
    });
    return { ...schema, properties: Object.fromEntries(merged) as JsonObject };
  }
}
