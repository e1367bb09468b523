import type { Json } from "../../api/json.ts";
import { cellText } from "../../ui/cell-text.ts";

/** A value in a comparison, where a missing field and an empty text differ. */
export function valueText(value: Json | undefined): string {
  return value === undefined ? "(not there)" : value === "" ? "(empty)" : cellText(value);
}
