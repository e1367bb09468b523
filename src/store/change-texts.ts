import { isLight } from "../large-json/light.ts";
import type { Work } from "../slices.ts";
import type { Change } from "./store.ts";

/** Whether a change can be serialised in one turn without holding up other requests. */
export function isLightChange({ edits }: Change): boolean {
  if (edits.length > 1) return isLight(edits.flatMap(({ before, after }) => [before?.value ?? 0, after?.value ?? 0]));
  const [edit] = edits;
  return isLight(edit?.before?.value ?? 0) && isLight(edit?.after?.value ?? 0);
}

/** The texts that the journal and the listeners of a change need. */
export function* renderTexts({ edits }: Change): Work<void> {
  for (const { before, after } of edits) {
    if (before) yield* before.renderText();
    if (after) yield* after.renderText();
    yield;
  }
}
