import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startApi } from "../../../support/api.ts";
import { createFolder } from "../../../support/cli.ts";
import { runKept } from "../../../support/kept-process.ts";

const DATA = { products: [{ id: 1, name: "Hat" }] };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function type(folder: string, ...args: string[]): Promise<Ended> {
  const { exit, output } = runKept(["client", ...args], folder);
  return { code: await exit, ...output };
}

describe("standin client", () => {
  test("prints the same client each time, and how to make it again", async () => {
    const folder = createFolder({ "db.json": DATA });
    const once = await type(folder, "db.json", "--lang", "csharp");
    expect(once.stdout).toMatch(/^\/\/ A client for db\.json, made by: standin client db\.json --lang csharp\n/);
    expect(await type(folder, "db.json", "--lang", "csharp")).toEqual(once);
    const [first] = (await type(folder, "--id", "my key", "db.json")).stdout.split("\n");
    expect(first).toBe('// A client for db.json, made by: standin client --id "my key" db.json');
  });

  test("--out writes a file, replaces its own, and leaves others alone", async () => {
    const folder = createFolder({ "db.json": DATA, "mine.ts": "export const mine = 1;\n" });
    const printed = await type(folder, "--out", "client.ts");
    expect(printed).toEqual({ code: 0, stdout: "Wrote client.ts\n", stderr: "" });
    const file = join(folder, "client.ts");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("readonly products: StandinCollection<Product, number,");
    writeFileSync(file, `${text}// changed\n`);
    expect((await type(folder, "--out", "client.ts")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);

    const refused = await type(folder, "--out", "mine.ts");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("mine.ts was not written by standin client, so it was not replaced");
    expect(readFileSync(join(folder, "mine.ts"), "utf8")).toBe("export const mine = 1;\n");
    expect((await type(folder, "--out", "mine.ts", "--overwrite")).code).toBe(0);
    expect(readFileSync(join(folder, "mine.ts"), "utf8")).toContain(
      "made by: standin client --out mine.ts --overwrite",
    );
  });

  test("reads a running server, and writes down no secret of its URL", async () => {
    const api = await startApi({ data: DATA });
    const { code, stdout } = await type(createFolder(), `${api.url}/db?token=hidden`);
    expect(code).toBe(0);
    expect(stdout).toContain("readonly products: StandinCollection<Product, number,");
    expect(stdout).not.toContain("hidden");
  });

  test("refuses what it cannot do", async () => {
    const folder = createFolder({ "db.json": DATA, "api.yaml": "openapi: 3.1.0\npaths: {}\n" });
    mkdirSync(join(folder, "out"));
    for (const [args, message] of [
      [["--lang", "cobol"], "--lang expects typescript or csharp"],
      [["a.json", "b.json"], "one source"],
      [["missing.json"], "missing.json"],
      [["api.yaml"], "api.yaml"],
      [["--out", "out"], "--out out is a folder"],
      [["--out", "nowhere/client.ts"], "nowhere/client.ts was not written"],
      [["--lang", "csharp", "--namespace", "Shop.class"], "--namespace Shop.class: expected names"],
      [["--lang", "csharp", "--namespace", "1st"], "--namespace 1st: expected names"],
      [["--lang", "csharp", "--namespace", ""], "--namespace"],
    ] as const) {
      const { code, stderr } = await type(folder, ...args);
      expect([code, stderr.startsWith("standin: ")], message).toEqual([1, true]);
      expect(stderr).toContain(message);
    }
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});
