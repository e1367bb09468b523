import { addressAt, moment } from "../api/moment.ts";
import { mayLeave, unsaved } from "./unsaved.ts";

/**
 * Shows the data at a version, or the present, in this view or another. `replace` adds no history entry: moving through
 * many moments must not add one for each.
 */
export function goToMoment(
  version: number | undefined,
  { hash = location.hash, how = "push" }: { hash?: string; how?: "push" | "replace" } = {},
): void {
  if (!mayLeave()) return;
  unsaved.set(false);
  const address = addressAt(version, hash);
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  moment.set(version);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
