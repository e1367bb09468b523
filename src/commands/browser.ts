import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { CONSOLE_FOLDER, consoleFiles } from "../app/page/console-files.ts";
import { PAGE_MARK, pageFiles } from "../app/page/page-files.ts";
import { readDemo } from "../app/page/read-demo.ts";
import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { defineCommand } from "./define-command.ts";
import { onlySource } from "./only-source.ts";
import { createReporter, type Terminal } from "./terminal.ts";
import { writeMadeFiles } from "./write-made-files.ts";

const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to serve in the page; also accepted after browser" },
  base: {
    name: "base",
    type: "string",
    default: "/api",
    placeholder: "<path>",
    help: "Path of the API below the folder of the files",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    default: "public",
    placeholder: "<folder>",
    help: "Folder to write to: that of the page, or one above it",
    only: "flag",
  },
  console: {
    name: "console",
    type: "boolean",
    default: false,
    help: "Write the console, too; it is at <base>/__console/",
    only: "flag",
  },
  onNewSeed: {
    name: "onNewSeed",
    type: "string",
    default: "keep",
    choices: ["keep", "replace"],
    placeholder: "<way>",
    help: "What a visitor has changed when the data is new: keep it, or start again",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace files that standin browser did not write",
    only: "flag",
  },
  ...DATA_OPTIONS,
  routes: SERVE_OPTIONS.routes,
  readOnly: SERVE_OPTIONS.readOnly,
  delay: SERVE_OPTIONS.delay,
  faults: SERVE_OPTIONS.faults,
  seed: SERVE_OPTIONS.seed,
  clock: SERVE_OPTIONS.clock,
  timeline: SERVE_OPTIONS.timeline,
  rules: SERVE_OPTIONS.rules,
  // Known to say that they are left out.
  middlewares: { ...SERVE_OPTIONS.middlewares, only: "file" },
  plugins: { ...SERVE_OPTIONS.plugins, only: "file" },
  hooks: SERVE_OPTIONS.hooks,
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin browser [source]`: writes the files of a page that serves the data itself, without a server. */
export const browserCommand = defineCommand({
  name: "browser",
  usage: "[source]",
  summary: "write files for a page that serves the data itself, without a server",
  help: [
    "standin browser [source]   write files for a page that serves the data itself, without a server",
    "",
    "Writes standin-worker.js, a service worker with the whole API; standin-data.json, the data; and standin.js, with",
    "start() and stop() for the page. Any static hosting serves them. Each visitor has data of their own, which stays",
    "in their browser. Nothing is registered before the page calls start().",
    "",
    "Everybody who opens the page can read all of the data. Run the command again when the data has changed.",
  ],
  examples: ["standin browser db.json --out public", "standin browser db.json --base /api --out docs --console"],
  options: OPTIONS,
  async run({ options: { middlewares, plugins, hooks, ...options }, words, terminal, configFile }) {
    const { out, overwrite, quiet } = options;
    const base = readPageBase(options.base);
    const source = onlySource("browser", options, words);
    const reporter = createReporter(terminal, quiet);
    for (const [name, value] of Object.entries({ middlewares, plugins, hooks })) {
      if (value !== undefined) reporter.warn(`"${name}" of ${configFile} is left out: a page has no ${name}.`);
    }
    const served = withDefaults(SERVE_OPTIONS, { ...options, source });
    const place = configFile ?? "standin.json";
    const demo = await readDemo(served, { reporter, place }, { base, onNewSeed: options.onNewSeed });
    const files = new Map([...pageFiles(demo), ...(options.console ? await consoleFiles(base) : [])]);
    const made = { files, command: "standin browser", mark: PAGE_MARK, markedPath: "standin.js" };
    const removeFormer = removeFormerConsole(out, base, files);
    await writeMadeFiles(made, { out, overwrite, quiet: true }, terminal);
    if (options.console) removeFormer();
    if (!quiet) report(files, { out, base }, terminal);
  },
});

/** The API needs a path of its own: at the root, it would hide the page. */
function readPageBase(given: string): string {
  const path = given.replace(/^\/+|\/+$/g, "");
  if (/^[\w~-][\w.~-]*(\/[\w~-][\w.~-]*)*$/.test(path)) return `/${path}`;
  throw new StartError(`--base ${given} leaves no path for the page, or is not one. Name one below it, such as /api.`);
}

function report(files: ReadonlyMap<string, string>, { out, base }: { out: string; base: string }, terminal: Terminal) {
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}/`;
  const isOfConsole = (path: string): boolean => path.startsWith(folder);
  const names = [...new Set([...files.keys()].map((path) => (isOfConsole(path) ? folder : path)))];
  const width = Math.max(...names.map((name) => name.length));
  terminal.print(`Wrote ${files.size} files to ${out}:`);
  for (const name of names) {
    const texts = [...files].filter(([path]) => path === name || (name === folder && isOfConsole(path)));
    const bytes = texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    const sent = texts.reduce((sum, [, text]) => sum + gzipSync(text).length, 0);
    terminal.print(`  ${name.padEnd(width)}  ${kilobytes(bytes)}, ${kilobytes(sent)} compressed`);
  }
  terminal.print(
    [
      "",
      "Add these lines where your page starts, before its first request:",
      "",
      '  import { start } from "./standin.js";',
      "  await start();",
      "",
      `The page then finds the API at .${base}${names.includes(folder) ? `, and you the console at .${base}/${CONSOLE_FOLDER}/` : ""}.`,
    ].join("\n"),
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Removes files of the console that an earlier run has written and this one has not: their names have a hash. */
function removeFormerConsole(out: string, base: string, files: ReadonlyMap<string, string>): () => void {
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}`;
  const former = namesIn(join(out, folder, "start.js"));
  return () => {
    for (const name of former) {
      if (!files.has(`${folder}/${name}`)) rmSync(join(out, folder, name), { force: true });
    }
  };
}

/** The files that a start script of ours names. */
function namesIn(startFile: string): string[] {
  try {
    const text = readFileSync(startFile, "utf8");
    const [, names = ""] = text.startsWith(`// ${PAGE_MARK}`) ? (/^\/\/ Files: (.*)$/m.exec(text) ?? []) : [];
    return names.split(" ").filter((name) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name));
  } catch {
    return [];
  }
}
