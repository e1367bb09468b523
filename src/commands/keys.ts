import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { reloadableFiles, reloadLimit } from "../app/reloadable-files.ts";
import { messageOf } from "../base/errors.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import type { Service } from "../http/contract.ts";
import type { Terminal } from "./terminal.ts";

interface KeyTarget {
  /** Those with data are reloaded and saved. */
  readonly services: readonly Service[];
  readonly url: string;
  stop(): void;
}

interface Key {
  readonly key: string;
  readonly does: string;
  act(): Promise<void> | void;
}

/** A note for the person at the terminal; undefined if there is none. */
export function keysHint(): string | undefined {
  return process.stdin.isTTY && !isInBackground() ? "h + enter lists what you can type here" : undefined;
}

/**
 * Obeys lines on standard input, from a terminal or a pipe: a letter and enter. A key that was hit by mistake does nothing.
 * Returns a function that stops it.
 */
export function listenToKeys(terminal: Terminal, target: KeyTarget): () => void {
  if (isInBackground()) return () => {};
  const keys = keysOf(terminal, target);
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const entered = line.trim().toLowerCase();
    void keys.find(({ key }) => key === entered)?.act();
  });
  return () => lines.close();
}

function keysOf(terminal: Terminal, { services, url, stop }: KeyTarget): Key[] {
  const forEach = (act: typeof reload) => async (): Promise<void> => {
    for (const service of services) if (!service.responder) await act(terminal, service);
  };
  const keys: Key[] = [
    { key: "o", does: "open it in a browser", act: () => open(terminal, url) },
    { key: "r", does: "reload the data, interceptors and plugins", act: forEach(reload) },
    { key: "s", does: "save a snapshot", act: forEach(save) },
    { key: "q", does: "quit", act: stop },
  ];
  const list = ["", ...keys.map(({ key, does }) => `  ${key} + enter  ${does}`), ""].join("\n");
  return [...keys, { key: "h", does: "", act: () => terminal.print(list) }];
}

async function open(terminal: Terminal, url: string): Promise<void> {
  if (!(await openBrowser(url))) terminal.print(`  No browser could be opened. The address is ${url}`);
}

async function reload(terminal: Terminal, service: Service): Promise<void> {
  try {
    const hasChanged = await service.store.reload();
    terminal.print(hasChanged ? `  ${terminal.style("green", "reloaded")} the data` : "  The data has not changed.");
  } catch (thrown) {
    terminal.error(`  Kept the current data: ${messageOf(thrown)}`);
  }
  // Without a look at their contents: those of the files that they require may have changed.
  for (const { file, name, reload: reloadFile } of reloadableFiles(service)) {
    try {
      await reloadFile();
      terminal.print(`  ${terminal.style("green", "reloaded")} ${name}`);
      const limit = reloadLimit(file, name);
      if (limit !== undefined) terminal.print(`  ${limit}`);
    } catch (thrown) {
      terminal.error(`  Kept the current version of ${name}: ${messageOf(thrown)}`);
    }
  }
}

async function save(terminal: Terminal, { store, offer }: Service): Promise<void> {
  const snapshots = offer(snapshotsFeature);
  if (!snapshots) return terminal.print("  Snapshots are off. Start with --snapshots <folder> to save some.");
  try {
    const { file } = await snapshots.save(store);
    terminal.print(`  Saved snapshot to ${join(snapshots.place, file)}`);
  } catch (thrown) {
    terminal.error(`  The snapshot was not saved: ${messageOf(thrown)}`);
  }
}

/** A job in the background that reads from its terminal is stopped by the system. Linux tells which group is in front. */
function isInBackground(): boolean {
  if (!process.stdin.isTTY || process.platform !== "linux") return false;
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , , group, , , frontGroup] = stat.slice(stat.lastIndexOf(")") + 1).split(" ");
    return group !== frontGroup;
  } catch {
    return false;
  }
}

/** The program that opens an address, with its first arguments; desktops other than these two agree on xdg-open. */
function opener(platform: NodeJS.Platform, { SystemRoot = "C:\\Windows" }: NodeJS.ProcessEnv): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  // No shell, which would want quotes and escapes; with its path, because a program in the current folder would come first.
  if (platform === "win32") return [join(SystemRoot, "System32", "rundll32.exe"), "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Opens an address in the browser of the person. Resolves to whether that was possible. */
export async function openBrowser(url: string, platform = process.platform, env = process.env): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  const [program, ...args] = opener(platform, env);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: platform !== "win32" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
