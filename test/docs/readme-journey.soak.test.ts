import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { need } from "../durability/spawned.ts";
import { createFolder, follow, printed } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { somePort } from "../support/some-port.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { readmeJourney } from "./readme-journey.ts";

const run = promisify(execFile);

/** Without what the npm and the runner of these tests hand on. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_.*|VITEST.*|NODE_OPTIONS|CI|STANDIN_.*)$/i.test(name)),
);

test("every step of the README works in a fresh clone, up to tests with a sandbox each", {
  timeout: limit(1_200_000),
}, async (context) => {
  const { files, steps } = readmeJourney();
  const [first, ...others] = steps;
  expect(first?.command).toBe("npm ci && npm start");
  const port = somePort();
  // The one thing that differs from the README: tests share this machine.
  const here = (text: string): string => text.replaceAll("localhost:3000", `localhost:${port}`);
  const clone = join(createFolder(), "standin");
  await run("git", ["clone", "--quiet", resolve("."), clone]);
  const isInstalled = await run("npm", ["ci"], { cwd: clone, env }).then(
    () => true,
    () => false,
  );
  need(context, "the registry of npm", isInstalled);
  const server = follow(spawn("npm", ["start", "--", "--port", String(port)], { cwd: clone, env, detached: true }));
  try {
    await printed(server, new RegExp(`serving at http://localhost:${port}`));
    for (const [name, text] of files) writeFileSync(join(clone, name), here(text));
    for (const { command, shown } of others) {
      const { stdout } = await run("sh", ["-c", here(command)], { cwd: clone, env });
      if (shown !== undefined) expect([command, stdout.trim()]).toEqual([command, shown]);
      else expect([command, stdout]).toEqual([command, expect.stringMatching(/\b3 passed\b/)]);
    }
    tellNumbers(`The README needs ${steps.length} commands from a fresh clone to passing tests with sandboxes.`);
  } finally {
    process.kill(-server.child.pid!, "SIGTERM");
    await server.exit;
  }
});
