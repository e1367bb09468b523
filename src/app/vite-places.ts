import { resolve } from "node:path";
import type { ResolvedConfig } from "vite";
import { type Reporter, silentReporter } from "../base/reporter.ts";
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

/** Tells things as Vite does. */
export function reporterOf({ logger }: Pick<ResolvedConfig, "logger">): Reporter {
  return {
    ...silentReporter,
    done: (text) => logger.info(`standin: ${text}`, { timestamp: true }),
    warn: (text) => logger.warn(`standin: ${text}`, { timestamp: true }),
    fault: (text, thrown) => logger.error(`standin: ${text} ${thrown}`, { timestamp: true }),
  };
}
