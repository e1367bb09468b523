import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPTION_TABLES } from "../../scripts/docs/generated-files.ts";
import { ERRORS } from "../../src/base/errors.ts";
import { flagOf, type Option } from "../../src/base/option.ts";
import { loadConfigFile } from "../../src/config/config-file.ts";
import { SERVE_OPTIONS } from "../../src/config/options.ts";
import { decodeJournal } from "../../src/store/file/journal/journal-format.ts";
import { builtPackage } from "../support/build.ts";
import { createFolder } from "../support/cli.ts";
import { toJavaScript } from "../support/csharp.ts";
import { runKept } from "../support/kept-process.ts";
import { type Block, loadPages, type Page, stepsOf } from "../support/pages.ts";
import { Reader } from "../support/reader.ts";

/**
 * Every block of the pages runs. In a page from top to bottom:
 *
 * - `sh`: commands, with `$ ` before them where their output is shown. `curl` asks the server the page last started with
 *   `standin` or `npm start`, or one that serves docs/example-data.json.
 * - a block with a name, as in ```` ```json shop.json ````, is a file for the commands that follow, of any language.
 * - `json`: parses; `json-broken` does not.
 * - `text`: what the server has printed since the page last said so, requests left out.
 * - `js`: a program that is run beside the server; what it prints stands behind each `console.log`.
 * - `python`: the same behind each `print`, where there is a python3.
 * - `csharp`: the same behind each `Console.WriteLine`; its requests are sent, but nothing is compiled.
 * - `ts`: type-checks as a file of a project that has standin installed, and runs there without a fault.
 * - `journal`: every checksum holds, and every line is one that a server would replay.
 *
 * Output is compared letter by letter, except that compact JSON may be laid out in lines, that a line `...` in the head of
 * an answer or in a `text` block stands for lines left out, and that a value that differs from run to run may be any
 * other one of its kind.
 */
const pages = loadPages();

/** Commands that no test runs, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm ci && npm test": "installs, and would run this test within itself",
  'docker run --rm -p 3000:3000 -v "$PWD:/data" standin': "needs a container engine; test/packaging runs the steps",
  "npm ci && npm run build": "installs; every test runs on what was built before",
  "npm ci && npm pack": "installs; test/packaging/install.soak.test.ts follows this and the next four",
  "npm install --save-dev ../standin/standin-0.1.0.tgz": "see above",
  "npm link ../standin": "see above",
  "npm pack ./packages/json-server": "see above",
  "npm install --save-dev ../standin/standin-0.1.0.tgz json-server@file:../standin/standin-json-server-0.17.100.tgz":
    "see above",
  "npx json-server db.json": "see above",
  "npm run bench": "takes half an hour, and the whole machine",
  "npm run bench -- --quick": "takes two minutes, and the whole machine",
  "npm run bench -- --only POST": "a part of the above",
  "npm run bench -- --only growth --chart docs/growth.svg": "a part of the above",
  "npm run bench:postgres": "takes ten minutes, and the whole machine",
  "claude mcp add standin -- npx -y standin mcp db.json": "needs Claude Code",
  "claude mcp add --transport http standin http://localhost:3000/__mcp": "needs Claude Code",
  "cd examples/products-and-companies": "what that page says is typed there",
};

/** Commands that `npm run soak` runs alone: each starts a runner of tests, one of them with a browser of its own. */
const LEFT_TO_SOAK = new Set([
  "npx playwright test",
  "npx vitest run shop.test.ts",
  "NODE_OPTIONS=--experimental-vm-modules npx jest",
]);
const isLeftOut = (command: string): boolean =>
  command in NOT_RUN || (!process.env.STANDIN_SOAK && LEFT_TO_SOAK.has(command));

/** Flags that pages mention and that are not ours. */
const OTHER_FLAGS = ["--path-as-is", "--prism", "--living", "--postgres", "--profile"];

/** Names in capitals that pages mention and that are no error codes: variables of the environment, and constants. */
const OTHER_NAMES = new Set([
  "API_KEY",
  "BASE_URL",
  "DATA_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "SERVE_OPTIONS",
  "STANDIN_ADMIN_TOKEN",
  "STANDIN_API_KEY",
  "STANDIN_BUN",
  "STANDIN_DENO",
  "STANDIN_DOCUMENTS",
  "STANDIN_NODE",
  "STANDIN_TEST_CHROMIUM",
  "STANDIN_TOKEN",
  "TARGET_NOT_ALLOWED",
]);

for (const page of pages) {
  const blocks = page.blocks.filter(({ language, name }) => language !== "ts" || name !== undefined);
  if (blocks.length === 0) continue;
  describe.concurrent(page.path, () => {
    const reader = new Reader(page.path.startsWith("examples/") ? dirname(page.path) : undefined);
    afterAll(() => reader.leave());
    for (const block of blocks) {
      test.sequential(`line ${block.line}: ${block.name ?? block.lines[0]}`, () => follow(block, reader));
    }
  });
}

test("README.md: every address of the cheat sheet finds something in the data of a first start", async () => {
  const reader = new Reader();
  await reader.type("npx standin db.json");
  const [, sheet = ""] = /^## Query cheat sheet$(.*?)^## /ms.exec((pages[0] as Page).prose) ?? [];
  const addresses = codeSpans(sheet);
  expect(addresses.length).toBeGreaterThan(15);
  for (const address of addresses) {
    const printed = await reader.type(`curl -i "http://localhost:3000${address}"`);
    expect(printed, address).toMatch(/^HTTP\/1.1 200 OK/);
    expect(printed, address).not.toMatch(/\[\]\s*$/);
  }
  await reader.leave();
});

test("README.md: lists are printed as curl prints them", () => {
  const lists = (pages[0] as Page).blocks.flatMap(({ lines }) => lines.filter((line) => line.startsWith("[")));
  expect(lists.length).toBeGreaterThan(0);
  for (const list of lists) expect(() => JSON.parse(list), list).not.toThrow();
});

test("README.md: the factors are those of the benchmark", () => {
  const measured = readFileSync("docs/performance.md", "utf8");
  const factors = [...(pages[0] as Page).prose.matchAll(/(\d[\d,.]*) times/g)].map(([, factor]) => `${factor} x |`);
  expect(factors.length).toBeGreaterThan(2);
  expect(factors.filter((factor) => !measured.includes(factor))).toEqual([]);
});

async function follow(block: Block, reader: Reader): Promise<void> {
  const content = block.lines.join("\n");
  if (block.language === "json") JSON.parse(content);
  if (block.language === "json-broken") expect(() => JSON.parse(content)).toThrow();
  if (block.name !== undefined) return reader.saveFile(block.name, content);
  switch (block.language) {
    case "json":
      return;
    case "sh":
      return followCommands(block, reader);
    case "text":
      return expect(await reader.hears(content)).toBe(content);
    case "js":
      return expect(await reader.runProgram(content)).toBe(commentsBehind("console.log(", block));
    case "python":
      if (!hasPython()) return console.warn("python blocks are not run: there is no python3 here.");
      return expect(await reader.runProgram(content, "python")).toBe(commentsBehind("print(", block, "  # "));
    case "csharp":
      return expect(await reader.runProgram(toJavaScript(content))).toBe(commentsBehind("Console.WriteLine(", block));
    case "journal":
      return expect(decodeJournal(Buffer.from(`${content}\n`))?.end).toBe("whole");
    default:
      throw new Error(`No test knows how to run a block of ${block.language}.`);
  }
}

async function followCommands(block: Block, reader: Reader): Promise<void> {
  for (const { command, shown } of stepsOf(block)) {
    if (isLeftOut(command)) continue;
    const printed = await reader.type(command);
    if (shown === undefined) expect(printed, command).not.toMatch(/^standin: /m);
    else if (!reader.isLike(shown, printed)) expect(printed, command).toBe(shown);
  }
}

/** The expected output of a program: the comments at the end of the lines that print. */
function commentsBehind(call: string, { lines }: Block, mark = " // "): string {
  const printing = lines.filter((line) => line.includes(call));
  return printing.map((line) => line.split(mark)[1] ?? `nothing is said behind ${line}`).join("\n");
}

function hasPython(): boolean {
  return spawnSync("python3", ["--version"]).status === 0;
}

describe("ts blocks", () => {
  const blocks = pages.flatMap((page) => page.blocks.filter(({ language }) => language === "ts"));
  const programs = blocks.filter(({ name }) => name === undefined);
  let project = "";
  /** Files of a page that have names lie together, as they refer to each other. */
  const fileOf = ({ page, name, line }: Block): string =>
    join(project, name === undefined ? "" : page.replace(/\W/g, "-"), name ?? `${page.replace(/\W/g, "-")}-${line}.ts`);

  /** A project of its own, as a user has one: standin in node_modules, plain compiler options. */
  beforeAll(async () => {
    const options = {
      module: "nodenext",
      target: "es2023",
      types: ["node"],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    };
    project = createFolder({ "package.json": { type: "module" }, "tsconfig.json": { compilerOptions: options } });
    mkdirSync(join(project, "node_modules"));
    symlinkSync(builtPackage(), join(project, "node_modules/standin"));
    for (const name of ["@types", "msw", "vite", "vitest", "@playwright"]) {
      symlinkSync(resolve("node_modules", name), join(project, "node_modules", name));
    }
    for (const block of blocks) {
      mkdirSync(dirname(fileOf(block)), { recursive: true });
      writeFileSync(fileOf(block), block.lines.join("\n"));
    }
    // To translate them together is cheaper than a process for each that can.
    await build({
      entryPoints: programs.map(fileOf),
      outdir: project,
      outExtension: { ".js": ".mjs" },
      format: "esm",
      target: "node20.19",
    });
  });

  test("type-check", () => {
    const { stdout } = spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", project]);
    expect(stdout.toString()).toBe("");
  });

  for (const block of programs) {
    test(`${block.page}, line ${block.line} runs`, async () => {
      const { exit, output } = runKept([], createFolder(), {}, fileOf(block).replace(/ts$/, "mjs"));
      expect(await exit, `${output.stdout}${output.stderr}`).toBe(0);
    });
  }
});

describe("what the pages say", () => {
  for (const page of pages) {
    test(`${page.path}: every link within the repository leads somewhere`, () => {
      expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
    });

    test(`${page.path}: every flag, error code and script exists`, () => {
      const flags = codeSpans(page.prose).flatMap((span) => span.match(/(?<![\w-])(--[a-z][\w-]*|-[a-zA-Z]$)/gi) ?? []);
      expect(flags.filter((flag) => !knownFlags.has(flag))).toEqual([]);
      const codes = page.text.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? [];
      const others = new Set([...OTHER_NAMES, ...environmentNames(page)]);
      expect(codes.filter((code) => !(code in ERRORS) && !others.has(code))).toEqual([]);
      const scripts = [...page.text.matchAll(/npm (?:run ([\w:]+)|(start|test))/g)].map(
        ([, run, short]) => run ?? short,
      );
      const known = { ...packageScripts("."), ...packageScripts(dirname(page.path)) };
      expect(scripts.filter((script) => !((script as string) in known))).toEqual([]);
    });
  }

  test("every config file shown has known keys alone", () => {
    const blocks = pages.flatMap((page) => page.blocks.filter(({ name }) => name && configNames(page).has(name)));
    expect(blocks.length).toBeGreaterThan(5);
    for (const { lines } of blocks) {
      const folder = createFolder({ "standin.json": lines.join("\n") });
      expect(loadConfigFile(folder, undefined, SERVE_OPTIONS).warnings).toEqual([]);
    }
  });

  test("docs/dependencies.md names every runtime dependency and every bundled package, and no other", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    const tables = readFileSync("docs/dependencies.md", "utf8").split("## Bundled packages");
    const [needed, bundled] = tables.map((table) =>
      [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names]) => names!.replaceAll("`", "").split(", ")),
    );
    expect(needed).toEqual(Object.keys(dependencies));
    const licences = readFileSync(join(builtPackage(), "dist/LICENSES.txt"), "utf8");
    const within = new Set([...licences.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name!));
    expect(bundled).toEqual(Object.keys(devDependencies).filter((name) => within.has(name)));
  });

  test("every command that is not run stands in some page", () => {
    const commands = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "sh").flatMap(stepsOf));
    const typed = new Set(commands.map(({ command }) => command));
    expect(Object.keys(NOT_RUN).filter((command) => !typed.has(command))).toEqual([]);
  });

  test("every block stands at the margin, where this test finds it", () => {
    expect(pages.filter(({ prose }) => /^\s*(```|~~~)/m.test(prose)).map(({ path }) => path)).toEqual([]);
  });
});

const options = OPTION_TABLES.flatMap((table) => Object.values(table));
const knownFlags = new Set([...options.flatMap(flagsOf), ...OTHER_FLAGS]);

function flagsOf(option: Option): string[] {
  const flag = flagOf(option);
  if (flag === undefined) return [];
  const aliases = option.aliases ?? [];
  const letters = aliases.filter((alias) => alias.length === 1).map((letter) => `-${letter}`);
  const negated = option.type === "boolean" ? [`--no-${flag}`] : [];
  return [`--${flag}`, ...negated, ...letters, ...aliases.map((alias) => `--${alias}`)];
}

function packageScripts(folder: string): Record<string, string> {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).scripts : {};
}

/** The variables that a page sets, or that the settings it shows ask for. */
function environmentNames({ text }: Page): string[] {
  return [...text.matchAll(/"env": "(\w+)"|^(?:\$ )?([A-Z_]+)=/gm)].map(([, asked, set]) => (asked ?? set) as string);
}

/** The files of a page that are config files: the one by that name, and those after `--config`. */
function configNames({ text }: Page): Set<string> {
  return new Set(["standin.json", ...[...text.matchAll(/--config (\S+\.json)/g)].map(([, name]) => name as string)]);
}

function codeSpans(prose: string): string[] {
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, span]) => span as string);
}

function linksOf({ prose }: Page): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: Page, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page.path : join(dirname(page.path), path);
  if (!existsSync(target)) return false;
  if (heading === undefined) return true;
  const headings = readFileSync(target, "utf8").match(/^#+ .*$/gm) ?? [];
  return headings.map(anchorOf).includes(heading);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  const text = heading.replace(/^#+ /, "").toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
