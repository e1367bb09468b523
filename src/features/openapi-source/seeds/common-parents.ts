import { isJsonObject, type Json } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation, ParentKey } from "../../../openapi/bind/binding.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import { canName } from "../parents/id-parameters.ts";
import { keyword, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { recordsInExamples } from "./recorded-examples.ts";
import type { MakeSample } from "./sampling.ts";

interface KeyOptions {
  readonly references: References;
  readonly sample: MakeSample;
  passes(schema: Placed, value: Json): boolean;
}

/**
 * Gives all generated records the same key of a parent that nothing serves, such as `{accountId}` of
 * `/accounts/{accountId}/logs`. Every such parent has them: a client could not guess a key, and would find nothing.
 */
export function withCommonParents(collections: readonly BoundCollection[], options: KeyOptions): BoundCollection[] {
  const keys = new CommonKeys(options);
  // Another collection of the same parent may come first.
  for (const { operations } of collections)
    for (const bound of operations)
      for (const parent of bound.parents.filter(isUnserved)) keys.prefer(parent, schemaOf(bound, parent));
  return collections.map((collection) => {
    if (!collection.operations.some(({ parents }) => parents.some(isUnserved))) return collection;
    const operations = collection.operations.map((bound) => {
      const parents = bound.parents.map((parent) =>
        isUnserved(parent) ? { ...parent, common: keys.of(collection, parent, schemaOf(bound, parent)) } : parent,
      );
      return { ...bound, parents };
    });
    return { ...collection, operations };
  });
}

function schemaOf({ operation }: BoundOperation, { parameter }: ParentKey): Placed | undefined {
  return operation.parameters.find(({ in: at, name }) => at === "path" && name === parameter)?.schema;
}

function isUnserved({ collection, isInRecord, isTold, isOfAll }: ParentKey): boolean {
  return collection === undefined && isInRecord && !isTold && !isOfAll;
}

class CommonKeys {
  readonly #options: KeyOptions;
  /** One for each name, so that other collections of the same parent agree. */
  readonly #named = new Map<string, Json>();
  readonly #found = new Map<string, Id | undefined>();

  constructor(options: KeyOptions) {
    this.#options = options;
  }

  prefer(parent: ParentKey, declared: Placed | undefined): void {
    const example = declared && keyword(this.#options.references, declared, "example");
    if (example !== undefined && !this.#named.has(nameOf(parent))) this.#named.set(nameOf(parent), example);
  }

  /** Undefined where records name several parents, or choose from a few, and where a list tells of all. */
  of(collection: BoundCollection, parent: ParentKey, declared: Placed | undefined): Id | undefined {
    const place = `${collection.name}/${nameOf(parent)}`;
    if (!this.#found.has(place)) this.#found.set(place, this.#find(collection, parent, declared));
    return this.#found.get(place);
  }

  #find(collection: BoundCollection, parent: ParentKey, declared: Placed | undefined): Id | undefined {
    const schema = hasListOfAll(collection, parent) ? undefined : this.#fieldOf(collection, parent);
    if (!schema || this.#isChoice(schema) || (declared && this.#isChoice(declared))) return undefined;
    const [told, another] = this.#told(collection, parent);
    if (another !== undefined) return undefined;
    const { sample } = this.#options;
    const made = (one: Placed | undefined): Json | undefined => one && sample(one, one.place);
    const name = nameOf(parent);
    const all = told === undefined ? [this.#named.get(name), made(declared), made(schema)] : [told];
    const key = all.find((one) => this.#fits(one, schema, declared));
    if (key !== undefined) this.#named.set(name, key);
    return key;
  }

  #fieldOf({ record }: BoundCollection, { holder, field }: ParentKey): Placed | undefined {
    const property = (schema: Placed | undefined, name: string): Placed | undefined =>
      schema && recordFieldsOf(this.#options.references, schema)?.properties.get(name);
    return holder === undefined ? property(record, field) : property(property(record, holder), field);
  }

  #isChoice(schema: Placed): boolean {
    const { references } = this.#options;
    const isListed = ["enum", "const"].some((name) => keyword(references, schema, name) !== undefined);
    return isListed || typesOf(references, schema).includes("boolean");
  }

  /** The keys in the examples of records. */
  #told({ operations }: BoundCollection, { holder, field }: ParentKey): readonly Json[] {
    const records = operations.flatMap((bound) =>
      bound.action === "read" || bound.action === "list" ? recordsInExamples(this.#options.references, bound) : [],
    );
    const holders = records.map((record) => (holder === undefined ? record : record[holder]));
    return [...new Set(holders.flatMap((one) => (isJsonObject(one) ? (one[field] ?? []) : [])))];
  }

  #fits(key: Json | undefined, schema: Placed, declared: Placed | undefined): key is Id {
    if (typeof key !== "number" && (typeof key !== "string" || key === "")) return false;
    const { references, passes } = this.#options;
    return passes(schema, key) && canName(key, declared ? [declared] : [], { references, isValid: passes });
  }
}

/** Whether a list shows the records of all parents, as `/pods` does beside `/namespaces/{namespace}/pods`. */
function hasListOfAll({ operations }: BoundCollection, parent: ParentKey): boolean {
  const isBelow = ({ parents }: BoundOperation): boolean => parents.some((one) => nameOf(one) === nameOf(parent));
  return operations.some((bound) => bound.action === "list" && !isBelow(bound));
}

function nameOf({ holder = "", field }: ParentKey): string {
  return plainName(holder + field);
}
