import { resolve } from "node:path";
import type { Step } from "../http/service.ts";
import type { Reporter } from "../reporter.ts";

/**
 * An interceptor may throw where no request can hear it: in a timer, or in a promise that nobody awaits. That is logged,
 * and the server goes on. What did not come from one of their files ends the process, as it does without interceptors.
 */
export function outliveInterceptors(steps: readonly Step[], reporter: Reporter): void {
  const files = steps.flatMap((step) => (step.kind === "interceptor" ? [step.file] : []));
  if (files.length === 0) return;
  process.on("uncaughtException", (thrown: unknown) => {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    const file = files.find((name) => stack.includes(resolve(name)));
    if (file === undefined) {
      reporter.fault("standin ends because of a fault.", thrown);
      process.exit(1);
    }
    reporter.fault(`The interceptor ${file} failed outside of any request.`, thrown);
  });
}
