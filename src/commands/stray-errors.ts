import { dirname, resolve, sep } from "node:path";
import type { Step } from "../http/edge.ts";
import type { Reporter } from "../reporter.ts";

/**
 * An interceptor may throw where no request can hear it: in a timer, or in a promise that nobody awaits. That is logged,
 * and the server goes on. What came from no file in its folder ends the process, as it does without interceptors.
 */
export function outliveInterceptors(steps: readonly Step[], reporter: Reporter): void {
  const files = steps.flatMap((step) => (step.kind === "interceptor" ? [resolve(step.file)] : []));
  if (files.length === 0) return;
  const folders = files.map((file) => dirname(file) + sep);
  process.on("uncaughtException", (thrown: unknown) => {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    const frames = stack.split("\n").filter((frame) => !frame.includes(`${sep}node_modules${sep}`));
    const theirs = frames.find((frame) => folders.some((folder) => frame.includes(folder)));
    if (theirs === undefined) {
      reporter.fault("standin ends because of a fault.", thrown);
      process.exit(1);
    }
    const file = files.find((name) => theirs.includes(name));
    reporter.fault(`${file ? `The interceptor ${file}` : "An interceptor"} failed outside of any request.`, thrown);
  });
}
