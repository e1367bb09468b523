import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach } from "vitest";

type Call = "linkSync" | "renameSync";

const originals = { linkSync: fs.linkSync, renameSync: fs.renameSync };

afterEach(() => {
  Object.assign(fs, originals);
  syncBuiltinESMExports();
});

/** Has something happen right before a call of this process reaches the system, each time until it says that it is done. */
export function hookBefore(call: Call, happen: (from: string, to: string) => boolean): void {
  const original = originals[call];
  let isDone = false;
  fs[call] = (from, to) => {
    if (!isDone) isDone = happen(String(from), String(to));
    return original(from, to);
  };
  syncBuiltinESMExports();
}
