import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requests } from "../../src/commands/requests.ts";
import { commandExists, need } from "../durability/spawned.ts";
import { startApi } from "../support/api.ts";
import { createFolder, follow } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { expectAllWork } from "../support/sent-request.ts";

test("k6 runs the script, and every threshold holds", async (context) => {
  need(context, "k6", commandExists("k6"));
  const api = await startApi();
  const folder = createFolder();
  const before = (await api.ask("GET /db")).text;
  await requests([`${api.url}/db`, "--format", "k6", "--out", join(folder, "shop.js"), "--quiet"]);
  const env = { ...process.env, BASE_URL: api.url, DURATION: "2s", K6_NO_USAGE_REPORT: "true" };
  const run = follow(spawn("k6", ["run", "--quiet", "shop.js"], { cwd: folder, env }));
  expect([await run.exit, run.output.stderr]).toEqual([0, ""]);
  expect((await api.ask("GET /db")).text).toBe(before);
});

test("large and deep data: every request works", async () => {
  const data = ODD_DATABASES["large and deep"]!;
  const folder = createFolder({ "db.json": data });
  const out = join(folder, "large.http");
  await requests([join(folder, "db.json"), "--out", out, "--quiet"]);
  const api = await startApi({ data: structuredClone(data) });
  await expectAllWork(readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url }));
});
