import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../scripts/docs/generated-files.ts";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { SERVE_OPTIONS } from "../../src/config/options.ts";
import { problemsBySchema } from "../support/json-schema.ts";

describe("files that are made from code", () => {
  for (const [file, text] of Object.entries(generatedFiles())) {
    test(`${file} is up to date`, () => {
      expect(readFileSync(file, "utf8"), "run npm run docs").toBe(text);
    });
  }

  test("package.json names the schema, so that editors find it in the installed package", () => {
    const { exports, files } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(exports["./schema.json"]).toBe("./schema.json");
    expect(files).toContain("schema.json");
  });
});

describe("schema.json", () => {
  const schema = JSON.parse(readFileSync("schema.json", "utf8")) as JsonObject;
  const problems = (config: Json) => problemsBySchema(schema, config);

  test("holds every key of the config file, with its help, and no other", () => {
    const keys = Object.values(SERVE_OPTIONS).filter((option) => !("only" in option) || option.only !== "flag");
    expect(Object.keys(schema.properties as JsonObject).sort()).toEqual(
      [...keys.map((option) => option.name), "$schema", "ssl"].sort(),
    );
    for (const { name, help } of keys) {
      expect((schema.properties as Record<string, JsonObject>)[name]).toMatchObject({ description: help });
    }
  });

  const valid: readonly Json[] = [
    {},
    {
      $schema: "./node_modules/standin/schema.json",
      source: "db.json",
      port: 3000,
      host: "localhost",
      watch: true,
      memory: false,
      durability: "disk",
      quiet: false,
      "read-only": false,
      "no-cors": false,
      "no-gzip": false,
      snapshots: "snapshots",
      routes: "routes.json",
      middlewares: ["logger", "./guard.js"],
      layers: { bearer: { token: { env: "TOKEN" } } },
      static: "public",
      delay: 0,
      id: "id",
      foreignKeySuffix: "_id",
      bodyParser: true,
      pretty: false,
      trustProxy: false,
      allowedHosts: ["shop.test"],
      https: true,
      ssl: { cert: "cert.pem", key: "key.pem" },
    },
    { ssl: true },
    { "ssl.cert": "cert.pem", "ssl.key": "key.pem" },
    { middlewares: [] },
    { port: "auto" },
  ];
  for (const config of valid) {
    test(`accepts ${JSON.stringify(config)}`, () => {
      expect(problems(config)).toEqual([]);
    });
  }

  const invalid: readonly [Json, string][] = [
    [{ port: "any" }, "$.port: fits 0 of 2"],
    [{ port: 3000.5 }, "$.port: fits 0 of 2"],
    [{ port: -1 }, "$.port: fits 0 of 2"],
    [{ port: 65536 }, "$.port: fits 0 of 2"],
    [{ delay: -1 }, "$.delay: too small"],
    [{ watch: "true" }, "$.watch: not of type boolean"],
    [{ host: "" }, "$.host: too short"],
    [{ host: null }, "$.host: not of type string"],
    [{ durability: "both" }, "$.durability: none of the choices"],
    [{ middlewares: "logger" }, "$.middlewares: not of type array"],
    [{ layers: ["logger"] }, "$.layers: not of type object"],
    [{ middlewares: [1] }, "$.middlewares[0]: not of type string"],
    [{ ssl: "yes" }, "$.ssl: fits 0 of 2"],
    [{ ssl: { cert: 5 } }, "$.ssl: fits 0 of 2"],
    [{ ssl: { certificate: "c" } }, "$.ssl: fits 0 of 2"],
    [{ prot: 3000 }, "$.prot: unknown"],
    [[], "$: not of type object"],
  ];
  for (const [config, problem] of invalid) {
    test(`refuses ${JSON.stringify(config)}: ${problem}`, () => {
      expect(problems(config)).toEqual([problem]);
    });
  }
});
