import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createTerminal } from "../../src/commands/terminal.ts";
import { commandExists, need } from "../durability/spawned.ts";
import { spawnAtTerminal } from "../support/at-terminal.ts";
import { CLI, createFolder, follow, printed } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";

async function init(folder: string, ...args: string[]): Promise<{ said: string; code: number | null }> {
  const { output, exit } = runKept(["init", ...args], folder);
  const code = await exit;
  return { said: `${output.stderr}${output.stdout}`, code };
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

describe.concurrent("standin init", () => {
  test("without a terminal takes the defaults, and what it writes can be served", async () => {
    const folder = createFolder({ "package.json": '{\r\n\t"name": "shop"\r\n}' });
    const { said, code } = await init(folder);
    expect([code, said]).toEqual([
      0,
      [
        "  Wrote db.json with 100 products and 100 companies",
        "  Wrote standin.json",
        "  Added to the scripts of package.json: mock, mock:watch",
        "  Start it with npm run mock",
        "",
      ].join("\n"),
    ]);
    expect(JSON.parse(read(folder, "standin.json"))).toEqual({ source: "db.json", port: 3000 });
    expect(read(folder, "package.json")).toBe(
      '{\r\n\t"name": "shop",\r\n\t"scripts": {\r\n\t\t"mock": "standin",\r\n\t\t"mock:watch": "standin --watch"\r\n\t}\r\n}',
    );
    const server = await serveKept([], folder);
    expect((await fetch(`${server.url}/products/1`)).status).toBe(200);
    await server.stop();
  });

  test("takes data, port and rules by flags, and keeps data that is there", async () => {
    const folder = createFolder({
      "shop.json": { hats: [{ id: 1, size: 5 }] },
      "node_modules/standin/schema.json": "{}",
    });
    const before = read(folder, "shop.json");
    const { said, code } = await init(folder, "--data", "shop.json", "--port", "auto", "--rules", "rules.json");
    expect([code, said]).toEqual([0, expect.stringContaining("There is no package.json, so no scripts were added")]);
    expect(JSON.parse(read(folder, "standin.json"))).toEqual({
      $schema: "./node_modules/standin/schema.json",
      source: "shop.json",
      port: "auto",
      rules: "rules.json",
    });
    expect(read(folder, "shop.json")).toBe(before);
    expect(JSON.parse(read(folder, "rules.json")).hats.required).toEqual(["id", "size"]);
  });

  test("overwrites nothing unless told so, and never data", async () => {
    const scripts = { mock: "other", "mock:watch": "standin --watch" };
    const folder = createFolder({ "db.json": "{}", "standin.json": "{}", "package.json": { scripts } });
    expect(await init(folder)).toEqual({
      code: 1,
      said: "standin: standin.json already exists. Add --overwrite to replace it.\n",
    });
    expect(read(folder, "standin.json")).toBe("{}");
    expect((await init(folder, "--overwrite", "--no-scripts", "--quiet")).said).toBe("");
    expect(JSON.parse(read(folder, "standin.json")).port).toBe(3000);
    expect(JSON.parse(read(folder, "package.json"))).toEqual({ scripts });
    expect((await init(folder, "--overwrite")).said).toContain("Added to the scripts of package.json: mock\n");
    expect([JSON.parse(read(folder, "package.json")).scripts.mock, read(folder, "db.json")]).toEqual(["standin", "{}"]);
  });

  test("keeps a script of the same name", async () => {
    const folder = createFolder({ "package.json": { scripts: { mock: "other" } } });
    const { said } = await init(folder);
    expect(said).toContain("Kept the script mock of package.json; --overwrite replaces it");
    expect(JSON.parse(read(folder, "package.json")).scripts).toEqual({
      mock: "other",
      "mock:watch": "standin --watch",
    });
  });

  test("says that the config file of json-server is passed over from now on", async () => {
    const folder = createFolder({ "db.json": "{}", "json-server.json": { port: 4000 } });
    expect((await init(folder)).said).toContain("Wrote standin.json; json-server.json is not read any more\n");
  });

  const refused: readonly [files: Record<string, unknown>, args: string[], message: string][] = [
    [{ "standin.config.ts": "" }, [], "standin.config.ts configures standin already. Change that, or delete it first."],
    [{ "package.json": "{ broken" }, [], "package.json is not valid JSON"],
    [{}, ["--data", "data.yaml"], "data.yaml does not exist, and sample data is written to .json files only."],
    [{}, ["shop.json"], "init takes options only. Write --data shop.json."],
    [{}, ["--port", "x"], "--port x: --port expects a whole number from 0 to 65535, or auto."],
  ];
  for (const [files, args, message] of refused) {
    test(`is refused, and writes nothing: ${message}`, async () => {
      const folder = createFolder(files);
      expect(await init(folder, ...args)).toEqual({ code: 1, said: expect.stringContaining(message) });
      expect(readdirSync(folder)).toEqual(Object.keys(files));
    });
  }
});

describe("questions at a terminal", () => {
  function open(): { input: PassThrough; ask: ReturnType<typeof createTerminal>["ask"]; shown: () => string } {
    const [input, out] = [new PassThrough(), new PassThrough()];
    const streams = { input, out } as unknown as Parameters<typeof createTerminal>[0];
    return { input, ask: createTerminal(streams).ask, shown: () => String(out.read() ?? "") };
  }
  const QUESTIONS = [
    { question: "Data file", otherwise: "db.json" },
    { question: "Port", otherwise: "3000" },
  ];

  test("are asked in turn; enter alone takes the default", async () => {
    const { input, ask, shown } = open();
    input.write("\n 4000 \n");
    expect(await ask(QUESTIONS)).toEqual(["db.json", "4000"]);
    expect(shown()).toContain("  Data file (db.json): ");
  });

  test("end without replies if the person leaves", async () => {
    const { input, ask } = open();
    input.end("shop.json\n");
    expect(await ask(QUESTIONS)).toBeUndefined();
  });
});

testAtLength("standin init asks three questions at a terminal", async (context) => {
  need(context, "the command script, for a terminal", commandExists("script"));
  const folder = createFolder();
  const run = follow(spawnAtTerminal(`${process.execPath} ${CLI} init`, folder));
  for (const [question, reply] of [
    [/Data file \(db\.json\): /, "shop.json"],
    [/Port \(3000\): /, "4000"],
    [/Rules file, made from the data \(none\): /, "rules.json"],
  ] as const) {
    await printed(run, question);
    run.child.stdin!.write(`${reply}\n`);
  }
  await run.exit;
  expect(JSON.parse(read(folder, "standin.json"))).toEqual({ source: "shop.json", port: 4000, rules: "rules.json" });
  expect(existsSync(join(folder, "shop.json"))).toBe(true);
});
