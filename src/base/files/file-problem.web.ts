import { messageOf } from "../errors.ts";

/** A page has no files, and says so itself. */
export function fileProblem(thrown: unknown): string {
  return messageOf(thrown);
}
