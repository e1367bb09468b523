import { join } from "node:path";

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
