import { StandinError } from "../../../base/errors.ts";

/** A small worker has no console to promote from. */
export async function applyChanges(): Promise<never> {
  throw new StandinError("OPTION_UNAVAILABLE", "The small worker does not promote sandboxes. Use the whole worker.");
}
