import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Call = "linkSync" | "openSync" | "renameSync";

const { fstatSync, linkSync, openSync, readFileSync, renameSync, statSync } = fs;
const originals = { fstatSync, linkSync, openSync, readFileSync, renameSync, statSync };
const { platform } = process;

/** Registered by each test: an `afterEach` of a module that files share counts for the first of them alone. */
function restoreAtTheEnd(): void {
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  });
}

/** Has something happen right before a call of this process reaches the system, each time until it says that it is done. */
export function hookBefore(call: Call, happen: (from: string, to: string) => boolean): void {
  const original = originals[call] as (...args: unknown[]) => unknown;
  let isDone = false;
  hook(call, (...args: unknown[]) => {
    if (!isDone) isDone = happen(String(args[0]), String(args[1]));
    return original(...args);
  });
}

/** Replaces a function of Node for the rest of a test. */
export function hook(name: keyof typeof originals, replacement: (...args: never[]) => unknown): void {
  restoreAtTheEnd();
  Object.assign(fs, { [name]: replacement });
  syncBuiltinESMExports();
}

/** The functions that hooks replace. */
export const unhooked = originals;

/** For the rest of a test, code that asks is told that it runs on Windows. */
export function pretendWindows(): void {
  restoreAtTheEnd();
  Object.defineProperty(process, "platform", { value: "win32" });
}
