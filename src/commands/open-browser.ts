import { spawn } from "node:child_process";

/** The command that opens an address, by platform; elsewhere, desktops agree on xdg-open. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  // An empty title: without one, `start` would take a quoted address for it.
  win32: ["cmd", "/c", "start", '""'],
};

/** Opens an address in the browser of the person. Resolves to whether that was possible. */
export function openBrowser(url: string, platform = process.platform): Promise<boolean> {
  const [program = "", ...args] = OPENERS[platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: platform !== "win32" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
