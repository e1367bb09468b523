import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** Whether a file has nothing but white space. */
export function isBlank(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "";
  } catch {
    return false;
  }
}

/** The first bytes of a file, one character for each; undefined when it cannot be read. */
export function headOfFile(file: string, bytes: number): string | undefined {
  try {
    const descriptor = openSync(file, "r");
    try {
      const head = Buffer.alloc(bytes);
      return head.toString("latin1", 0, readSync(descriptor, head));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
