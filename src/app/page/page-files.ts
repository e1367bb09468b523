import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { packageFile, version } from "../../base/files/package-file.ts";
import type { Demo } from "./read-demo.ts";

/** In the first line of every script that the command writes. */
export const PAGE_MARK = "Written by standin browser";

/** Refuses parts of a page that the small worker does not have. */
export function expectWhole(wanted: {
  readonly small?: boolean;
  readonly console?: boolean;
  readonly rules?: unknown;
  readonly timeline?: unknown;
}) {
  const { small = false, console = false, rules, timeline } = wanted;
  if (small && console) throw new StartError("The console needs the whole worker. Leave out small or console.");
  if (small && rules) throw new StartError("Rules need the whole worker. Leave out small or the rules.");
  if (small && timeline) throw new StartError("A timeline needs the whole worker. Leave out small or the timeline.");
}

/** The worker, its data, and the script that starts it, by their paths. */
export function pageFiles({ data, settings }: Demo, isSmall: boolean): Map<string, string> {
  // A browser installs a worker anew when a byte of it has changed, so it names the data that it was written with.
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 16);
  const given = JSON.stringify({ ...settings, data: `standin-data.json?${hash}` });
  const hasTime = settings.timeline !== undefined || settings.clock !== undefined;
  const parts = [...(settings.rules ? ["rules"] : []), ...(isSmall ? [] : ["files", ...(hasTime ? ["time"] : [])])];
  const partTexts = parts.map((part) => builtText(`web/worker-${part}.js`)).join("");
  return new Map([
    ["standin.js", scriptText(`const BASE = ${JSON.stringify(`.${settings.base}`)};\n${builtText("clients/page.js")}`)],
    ["standin-data.json", data],
    ["standin-worker.js", scriptText(`${partTexts}${workerText(given, settings.base, isSmall)}`)],
  ]);
}

function scriptText(script: string): string {
  return `// ${PAGE_MARK} ${version()}. Run it again instead of editing this file.\n${script}`;
}

/** The module as a plain script, which every browser takes for a worker, and a call of what it exports. */
function workerText(given: string, base: string, isSmall: boolean): string {
  // The small worker has no console.
  const before = isSmall ? "" : calling("page-console", JSON.stringify(base));
  return builtText(`web/worker${isSmall ? "-small" : ""}.js`).replace(
    /export\s*\{\s*([\w$]+)(?: as serve)?\s*\};?\s*$/,
    (_, serve) => `${before}${calling("page-worker", `${serve},${given}`)}\n`,
  );
}

function calling(part: string, given: string): string {
  const own = builtText(`clients/${part}.js`).replace(/^export function \w+/, "function");
  return `;(${own.trim()})(${given});`;
}

function builtText(file: string): string {
  try {
    return readFileSync(packageFile(`dist/${file}`), "utf8");
  } catch {
    throw new StartError(`dist/${file} is missing from this package. Build it: npm run build.`);
  }
}
