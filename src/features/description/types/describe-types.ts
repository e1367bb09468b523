import type { Member } from "../../../store/store.ts";
import type { DescribedMember, Description } from "../description.ts";
import { remarkOn } from "./remark.ts";
import { shapeType } from "./shape-type.ts";
import type { ValueType } from "./value-type.ts";

/** The types of a database, ready to be written in any language. */
export interface DescribedTypes {
  readonly idKey: string;
  readonly members: readonly (NamedType & Pick<Member, "name" | "kind">)[];
  /** Types that others refer to by their names. */
  readonly named: readonly NamedType[];
}

export interface NamedType {
  readonly typeName: string;
  readonly type: ValueType;
}

export function describeTypes(description: Description): DescribedTypes {
  const { idKey, members } = description;
  return {
    idKey,
    members: members.map((member) => ({ ...member, type: memberType(member, description) })),
    named: [],
  };
}

/** The type of a collection's records, or of a singleton. */
export function memberType({ name, shape }: DescribedMember, description: Description): ValueType {
  return shapeType(shape, (field, { format }) => remarkOn(name, field, description, format));
}
