/**
 * Runs every `lint:` script of package.json at the same time. What one prints is shown in one piece when it has ended, and
 * the exit code is 0 when all of them are content.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stdout } from "node:process";

const ROOT = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const env = {
  ...process.env,
  ...(stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
  // tsc ends before its memory matters: not to collect takes a seventh off its time.
  GOGC: "off",
  GOMEMLIMIT: "1500MiB",
  PATH: [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter),
};

async function run([name, command]) {
  const child = spawn(command, { shell: true, cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const [code] = await once(child, "close");
  if (code === 0 && printed.length === 0) return true;
  stdout.write(`${name}${code === 0 ? "" : ` failed (${code})`}: ${command}\n${Buffer.concat(printed)}\n`);
  return code === 0;
}

const checks = Object.entries(scripts).filter(([name]) => name.startsWith("lint:"));
const results = await Promise.all(checks.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
