import { createHash } from "node:crypto";
import type { Plugin, ResolvedConfig, Rolldown } from "vite";
import { StartError } from "../base/errors.ts";
import { isBelow, readBase } from "../http/base-path.ts";
import { consoleFiles } from "./page/console-files.ts";
import { pageFiles } from "./page/page-files.ts";
import { PAGE_OPTIONS, readDemo } from "./page/read-demo.ts";
import { type StandinOptions, startOf } from "./program-options.ts";
import { servedOptions } from "./served-options.ts";
import { belowRoot, reporterOf } from "./vite-places.ts";

/** The API in a build: a service worker, as `standin browser` writes it. */
export interface ViteBuildOptions {
  /** Writes the console, too; it is at `<base>/__console/`. */
  readonly console?: boolean;
  /** Keeps or replaces what a visitor has changed when the data is new. `keep` by default. */
  readonly onNewSeed?: "keep" | "replace";
}

/** Options that a page has, too, and those that only say how a server runs. */
const TAKEN: readonly string[] = [...PAGE_OPTIONS, "base", "data", "source"];
const OF_SERVERS = "adminToken allowedHosts compression console cors persist snapshots trustProxy warn".split(" ");

/** Writes the files into the build, and lets its pages start the worker before their own scripts. */
export function writeIntoBuild(
  given: StandinOptions & { readonly base: string },
  wanted: ViteBuildOptions,
): Pick<Plugin, "configResolved" | "generateBundle"> {
  let config: ResolvedConfig;
  return {
    configResolved: (resolved) => {
      config = resolved;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        // Vite 5 has no environments.
        if ((this.environment?.config ?? config).build.ssr) return;
        if (bundle["standin.js"])
          throw new StartError("A build has one worker: leave out build in all plugins but one.");
        const files = await filesFor(given, wanted, config);
        const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
        for (const [fileName, source] of files) emit(fileName, source);
        for (const page of Object.values(bundle)) {
          if (page.type === "asset" && page.fileName.endsWith(".html")) startFirst(page, { bundle, config, emit });
        }
      },
    },
  };
}

async function filesFor(
  given: StandinOptions & { readonly base: string },
  { console = false, onNewSeed = "keep" }: ViteBuildOptions,
  config: ResolvedConfig,
): Promise<Map<string, string>> {
  const reporter = reporterOf(config);
  for (const [name, value] of Object.entries(given)) {
    const isText = name !== "clock" || typeof value === "string";
    if (value === undefined || (TAKEN.includes(name) && isText) || OF_SERVERS.includes(name)) continue;
    reporter.warn(`"${name}" is left out of the build: its page does not have it.`);
  }
  const taken = Object.entries(belowRoot(config.root, given)).filter(([name]) => TAKEN.includes(name));
  const options = Object.fromEntries(taken) as StandinOptions;
  const { options: served, document } = await servedOptions(options);
  if (document !== undefined) {
    throw new StartError(`${document} is an OpenAPI document, which a page cannot serve. Leave out build.`);
  }
  const base = withinPage(given.base, config.base);
  const demo = await readDemo(served, { ...startOf(options, "standin/vite"), reporter }, { base, onNewSeed });
  return new Map([...pageFiles(demo), ...(console ? await consoleFiles(base) : [])]);
}

/** A worker serves addresses below its own folder, which is that of the page. */
function withinPage(base: string, ofVite: string): string {
  if (!ofVite.startsWith("/")) return base;
  const folder = readBase(ofVite);
  if (isBelow(folder, base) && base !== folder) return base.slice(folder.length);
  throw new StartError(`The API of a build is below its page, which is at ${ofVite}: make the base ${folder}${base}.`);
}

interface Build {
  readonly bundle: Rolldown.OutputBundle;
  readonly config: ResolvedConfig;
  emit(fileName: string, source: string): void;
}

const SCRIPT = /<script\b(?=[^>]*\stype="module")[^>]*\ssrc="([^"]+)"[^>]*><\/script>\s*/g;

/** Modules do not wait for each other, so one script takes the place of those of the app, and loads them in their order. */
function startFirst(page: Rolldown.OutputAsset, { bundle, config, emit }: Build): void {
  const up = "../".repeat(page.fileName.split("/").length - 1);
  const root = config.base.startsWith("/") ? config.base : up || "./";
  const entries: string[] = [];
  const html = String(page.source).replace(SCRIPT, (tag, src: string) => {
    const entry = Object.values(bundle).find(({ type, fileName }) => type === "chunk" && src.endsWith(fileName));
    if (!entry) return tag;
    entries.push(entry.fileName);
    return entries.length === 1 ? `${MARK}\n` : "";
  });
  if (entries.length === 0) return;
  const text = [
    'import { start } from "./standin.js";',
    "// Without the API, the page at least shows itself.",
    "await start().catch(reportError);",
    ...entries.map((name) => `await import(${JSON.stringify(`./${name}`)});`),
    "",
  ].join("\n");
  // Named after what it loads, since caches may keep it.
  const name = `standin-start-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`;
  emit(name, text);
  page.source = html.replace(MARK, `<script type="module" crossorigin src="${root}${name}"></script>`);
}

const MARK = "<!-- standin -->";
