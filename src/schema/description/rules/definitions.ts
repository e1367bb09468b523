import type { JsonObject } from "../../../base/json/json.ts";
import type { Schema } from "../../references.ts";
import { definitionsOf, innerSchemas } from "../../rules/inner-schemas.ts";
import type { CollectionRules } from "../../rules/rules.ts";
import { SchemaTree } from "../../schema-tree.ts";
import { pascalCase, TAKEN, typeNamer } from "../type-names.ts";

/** A member with the rules of its records. */
export interface RuledMember {
  readonly name: string;
  readonly typeName: string;
  readonly rules: CollectionRules;
}

/** A schema that others refer to, with its name in the API description and in types. */
export interface Definition {
  readonly typeName: string;
  readonly member: string;
  readonly schema: JsonObject;
}

interface Found {
  readonly member: RuledMember;
  readonly target: JsonObject;
  /** The name under `$defs`; undefined for a schema in another place. */
  readonly key: string | undefined;
  /** The last step of the reference that leads to it. */
  readonly step: string;
  readonly refersTo: readonly JsonObject[];
}

/**
 * Names the schemas that the rules refer to. Collections with equal definitions under the same name share one, such as
 * those that the rules file has for all collections.
 */
export class Definitions {
  readonly all: readonly Definition[];
  readonly #trees = new Map<string, SchemaTree>();
  /** By schema, for each member. */
  readonly #names = new Map<string, Map<JsonObject, string>>();

  /** The members whose schema refers to itself. */
  readonly #nested = new Set<string>();

  constructor(members: readonly RuledMember[], takenNames: readonly string[]) {
    for (const { name, rules } of members) {
      this.#trees.set(name, new SchemaTree(rules.schema));
      this.#names.set(name, new Map());
    }
    const found = members.flatMap((member) => this.#findIn(member));
    const shared = sharedKeys(found);
    const groups = new Map<string | Found, Found[]>();
    for (const one of found) {
      const group = one.key !== undefined && shared.has(one.key) ? one.key : one;
      groups.set(group, [...(groups.get(group) ?? []), one]);
    }
    const typeNameOf = typeNamer([...TAKEN, ...takenNames]);
    this.all = [...groups].flatMap(([shared, group]) => {
      const typeName = typeNameOf(typeof shared === "string" ? shared : ownName(shared));
      for (const { member, target } of group) this.#names.get(member.name)?.set(target, typeName);
      return group.slice(0, 1).map(({ member, target }) => ({ typeName, member: member.name, schema: target }));
    });
  }

  /** The schema that a reference in the rules of a member leads to. */
  resolve(member: string, ref: string): Schema {
    return this.treeOf(member).resolve(ref).schema as Schema;
  }

  /** The schema of a member, with its references. */
  treeOf(member: string): SchemaTree {
    return this.#trees.get(member)!;
  }

  /** The name of a schema that is referred to; undefined for the schema of the member itself. */
  nameOf(member: string, target: JsonObject): string | undefined {
    return this.#names.get(member)?.get(target);
  }

  /** Whether the records of a member may have others like them inside. */
  isNested(member: string): boolean {
    return this.#nested.has(member);
  }

  #findIn(member: RuledMember): Found[] {
    const { schema } = member.rules;
    const keys = new Map(
      definitionsOf(schema).flatMap((one) => Object.entries(one).map(([key, inner]) => [inner, key] as const)),
    );
    const steps = new Map([[schema, ""]]);
    const found: Found[] = [];
    for (const [target, step] of steps) {
      const refersTo = this.#targetsIn(target, member.name);
      if (refersTo.has(schema)) this.#nested.add(member.name);
      for (const [one, ref] of refersTo) if (!steps.has(one)) steps.set(one, ref.replace(/^.*[/#]/s, ""));
      if (target !== schema)
        found.push({ member, target, key: keys.get(target), step, refersTo: [...refersTo.keys()] });
    }
    return found;
  }

  /** The schemas that one refers to, with the first reference to each. */
  #targetsIn(schema: JsonObject, member: string): Map<JsonObject, string> {
    const targets = new Map<JsonObject, string>();
    const visit = (one: Schema): void => {
      if (typeof one === "boolean") return;
      for (const ref of [one.$ref, one.$dynamicRef]) {
        if (typeof ref !== "string") continue;
        const target = this.resolve(member, ref);
        if (typeof target !== "boolean" && !targets.has(target)) targets.set(target, ref);
      }
      for (const inner of innerSchemas(one)) visit(inner);
    };
    visit(schema);
    return targets;
  }
}

/** The names under which all collections have the same definition, whatever it refers to included. */
function sharedKeys(found: readonly Found[]): Set<string> {
  const byKey = new Map<string, Found[]>();
  for (const one of found) if (one.key !== undefined) byKey.set(one.key, [...(byKey.get(one.key) ?? []), one]);
  const shared = new Set(
    [...byKey]
      .filter(([, all]) => all.length === 1 || new Set(all.map(({ target }) => JSON.stringify(target))).size === 1)
      .map(([key]) => key),
  );
  const keys = new Map(found.map(({ target, key }) => [target, key]));
  const isApart = (target: JsonObject): boolean => {
    const key = keys.get(target);
    return key === undefined || !shared.has(key);
  };
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [key, all] of byKey) {
      if (all.length > 1 && shared.has(key) && all.some(({ refersTo }) => refersTo.some(isApart))) {
        isChanged = shared.delete(key);
      }
    }
  }
  return shared;
}

function ownName({ member, key, step }: Found): string {
  return `${member.typeName}${pascalCase(key ?? step)}`;
}
