import { closeSync, openSync, readSync } from "node:fs";

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
