import { type Description, relationsOf } from "../description.ts";

/** A remark on a field of a member beside its type. Never a value, which could hold anything. */
export function remarkOn(
  { relations }: Pick<Description, "relations">,
  member: string,
  { field, format }: { readonly field: string; readonly format: string | undefined },
): string | undefined {
  const relation = relationsOf(relations, member).find((one) => one.from === member && one.field === field);
  if (relation) return `Refers to ${commentText(relation.to)}.`;
  return format === undefined ? undefined : `Format: ${format}.`;
}

/** A text that cannot end the comment it stands in. */
export function commentText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("*/", "* /");
}
