import { mayLeave, unsaved } from "./unsaved.ts";

/** Goes to another page, unless the user wants to keep unsaved input. */
export function leaveFor(address: string): void {
  if (!mayLeave()) return;
  unsaved.set(false);
  location.assign(address);
}
