import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { formMark } from "../../http/response/headers.ts";
import type { ApiDocument } from "../../openapi/read/api-document.ts";

/** Ends the tags of responses: another document may give the same version of a record another form. */
export function documentMark({ file, otherFiles }: ApiDocument, options: { bind: unknown; seed: number }): string {
  const hash = createHash("sha256").update(JSON.stringify(options));
  for (const name of [file, ...otherFiles]) if (existsSync(name)) hash.update(readFileSync(name));
  return formMark(hash.digest("base64url").slice(0, 8));
}
