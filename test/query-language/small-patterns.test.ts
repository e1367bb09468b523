import { expect, test } from "vitest";
import { compileExpression } from "../../src/query/compile-expression.small.ts";
import { compileExpression as compileLinearly, type Expression } from "../../src/query/compile-expression.ts";

const TEXTS = ["", "Hat", "hat (red)", "a1-b2", "Straße", "line\nbreak", "aaaa"];

function outcome(compile: (parameter: string, pattern: string) => Expression, pattern: string): unknown {
  try {
    const expression = compile("name_like", pattern);
    return TEXTS.filter((text) => expression.test(text));
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

test.each([
  "^h.*t$",
  "h(a|e)t",
  "\\d+",
  "[a-c]+\\d",
  "\\(red\\)",
  "^$",
  "stra(?:ss|ß)e",
  "a{2,3}",
  "(?=a)",
  "(a)\\1",
  "[\\]a]?t",
  "(",
])("%s finds in a small worker what it finds elsewhere", (pattern) => {
  expect(outcome(compileExpression, pattern)).toEqual(outcome(compileLinearly, pattern));
});

test.each(["^(a+)+$", "(a|a)*$", "(ab){2,}", "a*a*a*a*b"])(
  "%s, which could take for good, is refused there",
  (pattern) => {
    expect(outcome(compileExpression, pattern)).toMatch(/a small worker repeats no groups, and at most 3 characters/);
  },
);
