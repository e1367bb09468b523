import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask } from "../durability/client.ts";
import { asFile, databaseAt, eventually, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const DATA = { notes: [{ id: 1, text: "kept" }], tags: [] };

test.each([
  ["half of it", asFile(DATA).slice(0, 40), "is not valid JSON"],
  ["zeros", "\0".repeat(40), "is not valid JSON"],
  ["a key twice", '{"notes":[],"tags":[],"notes":[]}', "twice in one object"],
])(
  "with --watch, a file with %s stays as it is, and a stop saves the data beside it",
  async (_name, broken, reason) => {
    const folder = createFolder({ "db.json": asFile(DATA) });
    const file = join(folder, "db.json");
    const server = await serveKept(["--watch"], folder);
    writeFileSync(file, broken);
    await eventually(() => server.output.stdout.includes("Kept the current data"));
    expect((await ask(server.url, "POST", "/tags", { text: "new" })).status).toBe(201);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(broken);
    expect(server.output.stdout).toContain(reason);
    expect(server.output.stderr).not.toContain("    at ");
    const [copy] = matching(folder, /\.unsaved-\d+\.json$/);
    const all = { ...DATA, tags: [{ text: "new", id: 1 }] };
    expect(JSON.parse(readFileSync(copy!, "utf8"))).toEqual(all);
    // The writes also reach the file that was there before the edit.
    writeFileSync(file, asFile(DATA));
    const again = await serveKept([], folder);
    expect(await databaseAt(again.url)).toEqual(all);
    expect(await again.stop()).toBe(0);
  },
);
