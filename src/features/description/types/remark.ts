import type { DescribedMember, Description } from "../description.ts";

/** A remark on a field beside its type. Never a value, which could hold anything. */
export function remarkOn(
  { name, shape }: DescribedMember,
  field: string,
  { relations }: Description,
): string | undefined {
  const relation = relations.find((one) => one.from === name && one.field === field);
  const format = shape.fields.get(field)?.format;
  if (relation) return `Refers to ${plain(relation.to)}.`;
  return format === undefined ? undefined : `Format: ${format}.`;
}

/** A text that cannot end the comment it stands in. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("*/", "* /");
}
