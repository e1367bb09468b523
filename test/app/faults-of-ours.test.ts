import { expect, test } from "vitest";
import { startOf } from "../../src/app/program-options.ts";

// The response to such a request says nothing of the cause.
test("a program hears of a fault of standin where it hears warnings", () => {
  const heard: string[] = [];
  const fault = new TypeError("not a function");
  startOf({ data: {}, warn: (text) => void heard.push(text) }, "createStandin").reporter.fault("It failed.", fault);
  expect(heard).toEqual([`It failed. ${fault.stack}`]);
});
