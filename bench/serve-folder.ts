import { spawn } from "node:child_process";
import { STANDIN } from "./servers.ts";

/** Serves the db.json of a folder from memory, on a free port. */
export function serveFolder(folder: string): Promise<{ readonly url: string; stop(): void }> {
  const server = spawn(process.execPath, [STANDIN, "--port", "0", "--memory"], { cwd: folder });
  let printed = "";
  return new Promise((resolve) => {
    server.stdout.on("data", (piece) => {
      printed += piece;
      const url = /serving at (\S+)/.exec(printed)?.[1];
      if (url) resolve({ url, stop: () => server.kill() });
    });
  });
}
