import { StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { isJsonObject, parseJson } from "../../base/json/json.ts";
import { readFileSync } from "../../base/platform/files.ts";
import { noRewriting, type Rewriter } from "../edge.ts";

/** Reads a rewrite file; a `StartError` names the file and the rule that cannot be meant. */
export async function loadRewriter(file: string | undefined, warn: (text: string) => void): Promise<Rewriter> {
  if (file === undefined) return noRewriting;
  const { createRewriter } = await import("./rewriter.ts");
  try {
    const rules = parseJson(readFileSync(file, "utf8"));
    if (!isJsonObject(rules)) throw new StartError("it must contain a JSON object that maps paths to paths.");
    return createRewriter(rules, (text) => warn(`${file}: ${text}`));
  } catch (thrown) {
    throw new StartError(`The rewrite file ${file} cannot be used: ${fileProblem(thrown)}`);
  }
}
