import { execFileSync } from "node:child_process";

/** Tests that start the command line run the built files, as users do; they are built once, before any test. */
export function setup(): void {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { stdio: "inherit" });
  run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
  run("build.mjs");
  run("node_modules/vite/bin/vite.js", "build", "--config", "console/vite.config.ts");
}
