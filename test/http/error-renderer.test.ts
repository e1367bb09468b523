import { expect, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import { silentReporter } from "../../src/base/reporter.ts";
import type { Call } from "../../src/http/call.ts";
import type { OpenFeature } from "../../src/http/contract.ts";
import { createErrorRenderer } from "../../src/http/response/error-renderer.ts";

test("a fault in rendering an error is reported, and the error sent in the usual form", () => {
  const faults: string[] = [];
  const reporter = { ...silentReporter, fault: (text: string, thrown: unknown) => faults.push(`${text} ${thrown}`) };
  const renderError = (): never => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const render = createErrorRenderer({ features: [{ renderError } as unknown as OpenFeature], reporter });
  const call = {} as Call;
  const { status, json } = render(call, new StandinError("QUERY_INVALID", "Send a number."));
  expect([status, JSON.parse(json as string)]).toMatchObject([400, { message: "Send a number." }]);
  expect(call.refusal).toBe("Send a number.");
  expect(faults).toEqual([expect.stringContaining("Maximum call stack")]);
});
