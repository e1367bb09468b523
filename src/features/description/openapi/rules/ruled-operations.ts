import type { ErrorCode } from "../../../../base/errors.ts";
import type { Doing } from "../../../../openapi/write/error-responses.ts";
import type { DescribedMember } from "../../../../schema/description/description.ts";
import type { DocumentFacts } from "../api-facts.ts";

const LEAVING: ReadonlySet<Doing> = new Set([
  ...(["create", "update", "patch", "patch-many"] as const),
  ...(["singleton", "create-singleton", "patch-singleton"] as const),
]);
const REMOVING: ReadonlySet<Doing> = new Set(["remove", "remove-many"]);

/** The refusals by rules of what is done to a member: of its own, and of those that keep its records from being removed. */
export function refusalsByRules(
  { name, rules }: DescribedMember,
  { description }: DocumentFacts,
): (doing: Doing) => readonly ErrorCode[] {
  const members = description.definitions ? description.members : [];
  const isHeld = members.some((member) =>
    Object.values(member.rules?.references ?? {}).some((one) => one.collection === name && one.onDelete === "refuse"),
  );
  return (doing) => {
    if (rules && LEAVING.has(doing)) return ["RECORD_INVALID"];
    return isHeld && REMOVING.has(doing) ? ["RECORD_REFERENCED"] : [];
  };
}

/** The names of parameters for writes; those of a member with rules tell how to get past them. */
export function writeParameters({ rules }: DescribedMember, ...names: readonly string[]): string[] {
  return names.map((name) => (rules && LENIENT.includes(name) ? lenient(name) : name));
}

/** The response headers of a write that rules can be lifted for. */
export function ruledHeaders({ rules }: DescribedMember): string[] {
  return rules ? ["Warning"] : [];
}

/** The parameters that have a form for members with rules. */
export const LENIENT: readonly string[] = ["prefer-create", "prefer-write", "prefer-many"];

export function lenient(name: string): string {
  return `${name}-ruled`;
}
