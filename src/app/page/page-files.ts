import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { packageFile } from "../../base/files/package-file.ts";
import { version } from "../../base/platform/files.ts";
import type { Demo } from "./read-demo.ts";

/** In the first line of every script that the command writes. */
export const PAGE_MARK = "Written by standin browser";

/** The worker, its data, and the script that starts it, by their paths. */
export function pageFiles({ data, settings }: Demo): Map<string, string> {
  // A browser installs a worker anew when a byte of it has changed, so it names the data that it was written with.
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 16);
  const given = JSON.stringify({ ...settings, data: `standin-data.json?${hash}` });
  return new Map([
    ["standin.js", scriptText(`const BASE = ${JSON.stringify(`.${settings.base}`)};\n${builtText("clients/page.js")}`)],
    ["standin-data.json", data],
    ["standin-worker.js", scriptText(workerText(given, settings.base))],
  ]);
}

function scriptText(script: string): string {
  return `// ${PAGE_MARK} ${version()}. Run it again instead of editing this file.\n${script}`;
}

/** The module as a plain script, which every browser takes for a worker, and a call of what it exports. */
function workerText(given: string, base: string): string {
  const before = calling("page-console", JSON.stringify(base));
  return builtText("web/worker.js").replace(
    /export\s*\{\s*([\w$]+)(?: as serve)?\s*\};?\s*$/,
    (_, serve) => `${before}${calling("page-worker", `${serve},${given}`)}\n`,
  );
}

function calling(part: string, given: string): string {
  const own = builtText(`clients/${part}.js`).replace(/^export function \w+/m, "function");
  return `;(${own.trim()})(${given});`;
}

function builtText(file: string): string {
  try {
    return readFileSync(packageFile(`dist/${file}`), "utf8");
  } catch {
    throw new StartError(`dist/${file} is missing from this package. Build it: npm run build.`);
  }
}
