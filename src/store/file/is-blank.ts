import { readFileSync } from "node:fs";

/** Whether a file has nothing but white space. */
export function isBlank(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "";
  } catch {
    return false;
  }
}
