import { parse, resolve, sep } from "node:path";
import type { ResolvedConfig, UserConfig } from "vite";
import { realPath } from "../base/files/atomic-write.ts";
import { type Reporter, silentReporter } from "../base/reporter.ts";
import { layoutOf } from "../store/open-store.ts";
import { isApiDocument } from "../store/sources/recognise-document.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { StandinOptions } from "./program-options.ts";

/** Files are named from the root of the project. */
export function belowRoot(root: string, options: StandinOptions): StandinOptions {
  const { source, data } = options;
  return {
    ...options,
    ...(source !== undefined && { source: below(root, source) }),
    ...(typeof data === "string" && { data: below(root, data) }),
  } as StandinOptions;
}

function below(root: string, source: string): string {
  const kind = sourceKind(source);
  const isAddress = kind === "url" || kind === "postgres" || (kind === undefined && /^\w+:\/\//.test(source));
  return isAddress ? source : resolve(root, source);
}

/** Vite's own list, which a list in a config replaces. */
const DENIED_BY_VITE = [".env", ".env.*", "*.{crt,pem,key,p12,pfx,cer,der}", ".npmrc", ".yarnrc.yml", "**/.git/**"];

/** `server.fs.deny` with the data and everything beside it that may hold passwords or keys. */
export function deniedFiles(config: Pick<UserConfig, "root" | "server">, options: StandinOptions): string[] {
  const root = resolve(config.root ?? ".");
  const { source = "", data } = belowRoot(root, options);
  const { files, snapshots } = options;
  const place = isApiDocument(source) ? data : source;
  const isStored = typeof place === "string" && layoutOf(place) !== undefined;
  const folders = [isStored && `${place}.files`, files, snapshots].filter((folder) => typeof folder === "string");
  const denied = ["**/.standin/**", ...folders.map((folder) => `${asGlob(resolve(folder))}/**`)];
  for (const path of isStored ? new Set([place, realPath(place)]) : []) {
    const { dir, name, ext } = parse(path);
    const beside = asGlob(`${dir}/${name}`);
    denied.push(asGlob(path), `${asGlob(path)}/**`, `${beside}.{outside,unsaved}-*${ext}`);
  }
  // Vite appends this to a list of the user.
  return [...(config.server?.fs?.deny ? [] : DENIED_BY_VITE), ...denied];
}

/** A pattern that matches only this path. */
function asGlob(path: string): string {
  return path.replaceAll("\\", "/").replace(/[()[\]{}*?!+@|^$]/g, "\\$&");
}

/** Vite's public folder is no place for data: `server.fs` does not apply to it, and builds have all of it. */
export function warnOfPublicData({ publicDir, logger }: ResolvedConfig, { source }: StandinOptions): void {
  if (publicDir === "" || !source?.startsWith(`${resolve(publicDir)}${sep}`)) return;
  logger.warn(
    `standin: ${source} is in Vite's public folder, so everyone can read it and the keys beside it, also in a build. Move it out.`,
  );
}

/** Tells things as Vite does. */
export function reporterOf({ logger }: Pick<ResolvedConfig, "logger">): Reporter {
  return {
    ...silentReporter,
    done: (text) => logger.info(`standin: ${text}`, { timestamp: true }),
    warn: (text) => logger.warn(`standin: ${text}`, { timestamp: true }),
    fault: (text, thrown) => logger.error(`standin: ${text} ${thrown}`, { timestamp: true }),
  };
}
