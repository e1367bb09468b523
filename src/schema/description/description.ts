import type { Member } from "../../store/store.ts";
import type { DataShape } from "../inference/data-shape.ts";
import type { NamedRelation } from "../named-relations.ts";
import type { CollectionRules } from "../rules/rules.ts";
import type { Definitions } from "./rules/definitions.ts";

/** The shape of a database: members, fields, relations. */
export interface Description {
  readonly members: readonly DescribedMember[];
  readonly relations: readonly DescribedRelation[];
  /** The schemas that rules refer to; undefined without rules. */
  readonly definitions?: Definitions | undefined;
}

export interface DescribedMember extends Readonly<Member> {
  /** Unlike any other, and a name in any language: `OrderLine`. */
  readonly typeName: string;
  /** The primary key field of its records; undefined for a singleton. */
  readonly idKey: string | undefined;
  /** Of its records, or of the singleton. */
  readonly shape: DataShape;
  /** The rules that its records, or the singleton, must keep. */
  readonly rules?: CollectionRules | undefined;
}

/** A field by which the records of one collection refer to those of another. */
export type DescribedRelation = NamedRelation;
