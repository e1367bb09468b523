import { readFileSync } from "node:fs";

/** Whether content is complete JSON, unlike that of a half-written file. */
export function isJson(content: Buffer): boolean {
  try {
    JSON.parse(content.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Whether a file has nothing but white space. */
export function isBlank(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "";
  } catch {
    return false;
  }
}
