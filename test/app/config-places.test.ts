import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { addEnvFile } from "../../src/config/env-file.ts";
import { resolveServeOptions } from "../../src/config/resolve.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const SHOP = { hats: [{ id: 1, size: 5 }] };

/** Prints the types of the data that the config names, or why it cannot be used. */
async function typesIn(folder: string, ...args: string[]): Promise<string> {
  const { output, exit } = runKept(["types", ...args], folder);
  await exit;
  return `${output.stderr}${output.stdout}`;
}

describe.concurrent("the configuration", () => {
  const modules: readonly [file: string, text: string][] = [
    ["standin.config.mjs", 'export default { source: "shop.json", port: undefined };'],
    ["standin.config.js", 'module.exports = { source: "shop.json" };'],
    ["standin.config.js", 'export default async () => ({ source: "shop.json" });'],
    ["standin.config.ts", 'const source: string = "shop.json";\nexport default { source } satisfies object;'],
  ];
  for (const [file, text] of modules) {
    test(`can be ${file}: ${text.split("\n")[0]}`, async () => {
      const folder = createFolder({ "shop.json": SHOP, [file]: text });
      mkdirSync(join(folder, "node_modules"));
      // For versions of Node that do not run TypeScript.
      symlinkSync(resolve("node_modules/tsx"), join(folder, "node_modules/tsx"));
      expect(await typesIn(folder)).toContain("interface Hat ");
    });
  }

  test('can be "standin" in package.json', () => {
    const folder = createFolder({ "package.json": { name: "shop", standin: { port: 4001, prot: 1 } } });
    const { options, warnings, configFile } = resolveServeOptions([], folder);
    expect([options.port, configFile]).toEqual([4001, "package.json"]);
    expect(warnings).toEqual(['package.json, in "standin": unknown key "prot" is ignored. Did you mean "port"?']);
  });

  test("is not in a package.json that only depends on standin, even beside one of json-server", () => {
    const files = { "package.json": { devDependencies: { standin: "1" } }, "json-server.json": { port: 4002 } };
    expect(resolveServeOptions([], createFolder(files)).options.port).toBe(4002);
  });

  const refused: readonly [files: Record<string, unknown>, argv: string[], message: string][] = [
    [
      { "standin.json": {}, "standin.config.ts": "" },
      [],
      "standin.json and standin.config.ts both configure standin. Delete one, or name one with --config.",
    ],
    [
      { "standin.config.mjs": "", "package.json": { standin: {} } },
      [],
      'standin.config.mjs and package.json (at "standin") both configure standin. Delete one, or name one with --config.',
    ],
    [
      { "package.json": { standin: { port: "eighty" } } },
      [],
      'package.json, in "standin": "port" is "eighty"; it must be a whole number from 0 to 65535, or auto.',
    ],
    [{ "package.json": { standin: "db.json" } }, [], 'package.json: "standin" is "db.json"; it must be an object'],
    [{ "package.json": {} }, ["-c", "package.json"], 'package.json has no key "standin"'],
    [{ "package.json": '{ "standin": {' }, [], "The config file package.json is not valid JSON: line 1"],
  ];
  for (const [files, argv, message] of refused) {
    test(`is refused: ${message}`, () => {
      expect(() => resolveServeOptions(argv, createFolder(files))).toThrow(message);
    });
  }

  const broken: readonly [text: string, message: string][] = [
    ["export default { middlewares: ['cors', () => {}] };", '"middlewares[1]" is a function, but settings are JSON.'],
    ["export default 5;", "standin.config.mjs must export an object of options by default."],
    ["export default {};\nthrow new Error('boom');", "standin.config.mjs cannot be loaded: line 2, column 7: boom"],
    ["export default { port: 'x' };", 'standin.config.mjs: "port" is "x"; it must be a whole number'],
  ];
  for (const [text, message] of broken) {
    test(`is refused: ${message}`, async () => {
      const folder = createFolder({ "standin.config.mjs": text });
      expect(await typesIn(folder)).toContain(message);
      const { output, exit } = runKept(["types", "--help"], folder);
      expect([await exit, output.stderr]).toEqual([0, ""]);
    });
  }

  test("is not run by standin doctor, which says so", async () => {
    const text = "throw new Error('it ran');";
    const scripts = { mock: "json-server db.json" };
    const files = { "db.json": SHOP, "package.json": { scripts }, "standin.config.mjs": text };
    const { output, exit } = runKept(["doctor"], createFolder(files));
    await exit;
    expect(output.stdout).toContain("standin.config.mjs was not run, so its settings are unknown.");
    expect(`${output.stdout}${output.stderr}`).not.toContain("it ran");
  });

  test("of two, --config names one", async () => {
    const files = {
      "shop.json": SHOP,
      "standin.json": {},
      "standin.config.mjs": 'export default { source: "shop.json" };',
    };
    expect(await typesIn(createFolder(files), "--config=standin.config.mjs")).toContain("interface Hat ");
  });
});

describe("the file .env beside the config file", () => {
  test("adds variables, and overrides none", () => {
    const env = { SET: "mine", EMPTY: "" };
    const text = 'SET=theirs\nEMPTY=theirs\nexport NEW="a # b" # c\n# NOT=1\nKEY="two\nlines"\n';
    addEnvFile([], createFolder({ ".env": text }), env);
    expect(env).toEqual({ SET: "mine", EMPTY: "", NEW: "a # b", KEY: "two\nlines" });
  });

  test("is looked for beside the one that --config names", () => {
    const folder = createFolder({ ".env": "A=1", "dev/.env": "B=2" });
    for (const argv of [
      ["-c", "dev/x.json"],
      ["db.json", "--config=dev/x.json"],
    ]) {
      const env = {};
      addEnvFile(argv, folder, env);
      expect(env).toEqual({ B: "2" });
    }
  });

  test("may be missing, or a folder", () => {
    const env = {};
    addEnvFile([], createFolder(), env);
    addEnvFile([], createFolder({ ".env/pyvenv.cfg": "" }), env);
    expect(env).toEqual({});
  });

  test("has the secrets of the config file, which nothing prints", async () => {
    const layers = { "api-key": { keys: [{ env: "SHOP_KEY" }] } };
    const files = {
      "db.json": SHOP,
      "standin.json": { middlewares: ["api-key"], layers },
      ".env": "SHOP_KEY=s3cret-1234567890\n",
    };
    const server = await serveKept([], createFolder(files));
    expect((await fetch(`${server.url}/hats`)).status).toBe(401);
    const headers = { "X-Api-Key": "s3cret-1234567890" };
    expect((await fetch(`${server.url}/hats`, { headers })).status).toBe(200);
    await server.stop();
    expect(server.output.stdout + server.output.stderr).not.toContain("s3cret");
  });
});
