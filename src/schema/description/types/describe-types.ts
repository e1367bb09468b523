import type { Work } from "../../../base/slices.ts";
import type { Member } from "../../../store/store.ts";
import type { DescribedMember, Description } from "../description.ts";
import type { Definitions } from "../rules/definitions.ts";
import { ruledType } from "../rules/ruled-type.ts";
import { SchemaTypes } from "../rules/schema-types.ts";
import { remarkOn } from "./remark.ts";
import { shapeType } from "./shape-type.ts";
import type { ValueType } from "./value-type.ts";

/** The types of a database, ready to be written in any language. */
export interface DescribedTypes {
  readonly members: readonly (NamedType & Pick<Member, "name" | "kind">)[];
  /** Types that others refer to by their names. */
  readonly named: readonly NamedType[];
}

export interface NamedType {
  /** The primary key field of the collection that it belongs to; undefined for that of a singleton. */
  readonly idKey: string | undefined;
  readonly typeName: string;
  readonly type: ValueType;
}

/** May pause after each member. */
export function* describeTypes(description: Description): Work<DescribedTypes> {
  const { members, definitions } = description;
  const described: DescribedTypes["members"][number][] = [];
  for (const member of members) {
    described.push({ ...member, type: memberType(member, description) });
    yield;
  }
  return {
    members: described,
    named: definitions ? definitionTypes(definitions, members) : [],
  };
}

/** The type of a collection's records, or of a singleton. */
export function memberType(member: DescribedMember, description: Description): ValueType {
  const { name, shape, rules } = member;
  const { definitions } = description;
  if (rules && definitions) return ruledType({ member, rules, description }, definitions);
  return shapeType(shape, (field, { format }) => remarkOn(name, field, description, format));
}

function definitionTypes(definitions: Definitions, members: readonly DescribedMember[]): NamedType[] {
  const owners = new Map<string, SchemaTypes>();
  for (const member of members) if (member.rules) owners.set(member.name, new SchemaTypes(member, definitions));
  const idKeys = new Map(members.map(({ name, idKey }) => [name, idKey]));
  return definitions.all.map(({ typeName, member, schema }) => ({
    typeName,
    idKey: idKeys.get(member),
    type: owners.get(member)!.typeOf(schema),
  }));
}
