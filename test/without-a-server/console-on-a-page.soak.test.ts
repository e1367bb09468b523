import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { limit } from "../support/limits.ts";
import { tellNumbers } from "../support/tell-numbers.ts";

/** Tests of the console in a browser; those that need a server say so themselves. */
const FILES = [
  "api-docs",
  "data",
  "editor",
  "lab",
  "large-and-odd",
  "live",
  "query",
  "row-tools",
  "table",
  "top-bar",
  "views",
];
const REGRESSIONS = ["console-keeps-what-is-typed-while-the-list-follows", "console-opens-records-with-dots-as-id"];

test(
  "the tests of the console pass on a page of a plain static file server",
  async () => {
    const { STANDIN_SOAK: _, STANDIN_TEST_PACKAGE: __, ...env } = process.env;
    const files = [
      ...FILES.map((name) => `test/features/console/${name}.test.ts`),
      ...REGRESSIONS.map((name) => `test/regressions/${name}.test.ts`),
    ];
    const run = spawn(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.config.ts", ...files],
      {
        env: { ...env, STANDIN_CONSOLE_DEMO: "1" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [printed, [code]] = await Promise.all([text(run.stdout), once(run, "close")]);
    expect(code, printed).toBe(0);
    const [, counted = ""] = /Tests +(.*)/.exec(stripVTControlCharacters(printed)) ?? [];
    tellNumbers(`The console on a static page: ${counted}.`);
  },
  limit(1_200_000),
);
