import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { requestsCommand } from "../../src/commands/requests.ts";
import { startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { ODD_DATABASES } from "../support/odd-databases.ts";
import { expectAllWork } from "../support/sent-request.ts";

export const ODD_CASES: Readonly<Record<string, JsonObject>> = {
  ...ODD_DATABASES,
  "no collections": {},
  "empty collections": { a: [], b: [] },
  "a singleton alone": { settings: { "a b": 1 } },
  "records without ids": { list: [{ name: "a" }, { name: "b" }] },
  "ids that are hard to write": { things: [{ id: "a b/c?d#e&f=g%20{{x}}" }, { id: ".." }] },
  "the same value everywhere": { things: [{ id: 1, state: "on", at: "2024-01-01" }] },
  "nothing but nulls": { things: [{ id: 1, a: null }] },
  "names of parameters": { things: [{ id: 1, q: "x", _limit: 2, price_gte: 3, callback: "y" }] },
  "children without parents": { posts: [{ id: 1 }], comments: [{ id: 1, postId: 7, text: "x" }] },
};

/** Writes requests for the data and sends each of them. */
export async function expectOddDataWorks(data: JsonObject): Promise<void> {
  const folder = createFolder({ "db.json": data });
  const out = join(folder, "odd.http");
  await requestsCommand.run([join(folder, "db.json"), "--out", out, "--quiet"]);
  const api = await startApi({ data: structuredClone(data) });
  const all = readHttpFile(readFileSync(out, "utf8"), { baseUrl: api.url });
  expect(all.length).toBeGreaterThan(0);
  const empty = Object.keys(data).filter((name) => Array.isArray(data[name]) && (data[name] as unknown[]).length === 0);
  // No comment has a parent that is there.
  await expectAllWork(all, [...empty, ...(data.posts ? ["comments"] : [])]);
}
