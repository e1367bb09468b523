import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as fetching from "../../src/app/fetch.ts";
import * as vite from "../../src/app/vite.ts";
import * as worker from "../../src/app/worker.ts";
import * as standin from "../../src/index.ts";
import * as jsonServer from "../../src/json-server/module.ts";

/** A name listed here is a promise: removing or renaming one is a major version. */
const VALUES = ["StandinError", "createStandin", "definePlugin"];
const TYPES = [
  "AccessOptions",
  "AnyPlugin",
  "BatchRequest",
  "BatchResponse",
  "BatchResponses",
  "CollectionAccess",
  "CollectionControl",
  "CollectionEdit",
  "CollectionOptions",
  "Conditions",
  "DataChange",
  "Database",
  "ErrorCode",
  "Fault",
  "FaultControl",
  "HistoryAccess",
  "HistoryPage",
  "HistoryQuery",
  "HistoryVersion",
  "Layer",
  "Operators",
  "Plugin",
  "PluginContext",
  "PluginOption",
  "PluginRequest",
  "PluginRoute",
  "RecordEdit",
  "PastMoment",
  "RequestContext",
  "RevertOptions",
  "PromoteOptions",
  "Promotion",
  "RequestFilter",
  "RequestRecord",
  "RouteHandler",
  "Scope",
  "SingletonAccess",
  "Standin",
  "StandinOptions",
  "StandinSandbox",
  "StepContext",
];

test("standin exports these names and no others", () => {
  expect(Object.keys(standin).sort()).toEqual(VALUES);
  const text = readFileSync("src/index.ts", "utf8");
  const names = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
    (list as string).split(",").flatMap((name) => name.trim() || []),
  );
  expect(names.sort()).toEqual([...VALUES, ...TYPES].sort());
});

test("standin/fetch exports these names and no others", () => {
  expect(Object.keys(fetching).sort()).toEqual(["StandinError", "createFetch", "methods"]);
});

test("standin/vite exports one name", () => {
  expect(Object.keys(vite)).toEqual(["standin"]);
});

test("standin/worker exports these names and no others", () => {
  expect(Object.keys(worker)).toEqual(["serve"]);
});

test("standin/json-server exports these names and no others", () => {
  expect(Object.keys(jsonServer).sort()).toEqual(["bodyParser", "create", "default", "defaults", "rewriter", "router"]);
});
