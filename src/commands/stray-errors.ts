import { dirname, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Reporter } from "../base/reporter.ts";
import type { MiddlewareStep } from "../http/edge.ts";

/**
 * Logs errors that interceptors and plugins throw outside of a request, in a timer or an unhandled promise, and keeps
 * serving. Errors from any other code end the process, as they do without interceptors.
 */
export function outliveUserCode(
  steps: readonly MiddlewareStep[],
  reporter: Reporter,
  plugins: readonly string[] = [],
): void {
  const interceptors = steps.flatMap((step) => (step.kind === "interceptor" ? [resolve(step.file)] : []));
  const files = [...interceptors, ...plugins];
  if (files.length === 0) return;
  const folders = files.flatMap((file) => writings(dirname(file) + sep));
  process.on("uncaughtException", (thrown: unknown) => {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    const frames = stack.split("\n").filter((frame) => !/[\\/]node_modules[\\/]/.test(frame));
    const theirs = frames.find((frame) => folders.some((folder) => frame.includes(folder)));
    if (theirs === undefined) {
      reporter.fault("standin stops because of an unexpected error.", thrown);
      process.exit(1);
    }
    const file = files.find((name) => writings(name).some((written) => theirs.includes(written)));
    reporter.fault(`${nameOf(file, plugins, interceptors.length > 0)} failed outside of a request.`, thrown);
  });
}

/** How a path stands in a stack: as it is, or as an address for an ES module. */
function writings(path: string): string[] {
  return [path, pathToFileURL(path).href];
}

function nameOf(file: string | undefined, plugins: readonly string[], hasInterceptors: boolean): string {
  if (file === undefined) return hasInterceptors ? "An interceptor" : "A plugin";
  return `The ${plugins.includes(file) ? "plugin" : "interceptor"} ${file}`;
}
