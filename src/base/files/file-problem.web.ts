/** A page has no files, and says so itself. */
export { messageOf as fileProblem } from "../errors.ts";
