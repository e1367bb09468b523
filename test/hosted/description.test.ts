import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith, startHosted } from "../support/hosted.ts";

const TEAS = {
  examples: [
    {
      name: "teas",
      request: { path: "/teas", query: { kind: "green" } },
      response: { body: [{ id: 1, name: "Sencha" }] },
    },
    { name: "a tea", request: { path: "/teas/{{id}}" }, response: { body: { id: "{{id}}", name: "Sencha" } } },
    { name: "gone", request: { path: "/teas/{{other}}" }, response: { status: 410, body: "gone" } },
    {
      name: "brewed",
      request: { method: "POST", path: "/pots/{{}}/{{}}.json", body: { minutes: 3 } },
      response: { status: 201 },
    },
  ],
};

test("GET /__openapi.json describes examples: paths, parameters, bodies, and a response for each status", async () => {
  const { ask, url } = await startHosted(TEAS);
  const { body, headers } = await ask("GET /__openapi.json");
  const text = { type: "string" };
  expect(body).toMatchObject({
    openapi: "3.1.0",
    servers: [{ url }],
    paths: {
      "/teas": {
        get: {
          summary: "teas",
          parameters: [{ name: "kind", in: "query", schema: text, example: "green" }],
          responses: { 200: { content: { "application/json": { schema: { type: "array" } } } } },
        },
      },
      "/teas/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        get: {
          responses: {
            200: { content: { "application/json": { examples: { "a tea": { value: { name: "Sencha" } } } } } },
            410: { description: "gone" },
          },
        },
      },
      "/pots/{1}/{2}.json": {
        post: { requestBody: { content: { "application/json": { example: { minutes: 3 } } } }, responses: { 201: {} } },
      },
    },
  });
  expect((await new Validator().validate(structuredClone(body as JsonObject))).errors).toBeUndefined();
  expect((await ask("GET /__openapi.json", { headers: { "if-none-match": headers.get("etag")! } })).status).toBe(304);
  expect((await ask("GET /__openapi.json?version=3.0")).body).toMatchObject({
    openapi: expect.stringMatching(/^3\.0/),
  });
});

test("of several mocks, private ones are described to those with a key, and each has its prefix and group", async () => {
  const folder = createFolder({ "teas.json": TEAS, "cups.json": TEAS, "cups.keys": "secret-cup\n" });
  const api = await openHostedWith([folder]);
  onTestFinished(() => api.close());
  const pathsFor = async (headers: Record<string, string>) =>
    Object.keys(((await api.ask("GET /__openapi.json", { headers })).body as { paths: object }).paths);
  const ofTeas = ["/teas/teas", "/teas/teas/{id}", "/teas/pots/{1}/{2}.json"];
  expect(await pathsFor({})).toEqual(ofTeas);
  expect(await pathsFor({ "X-Api-Key": "secret-cup" })).toEqual([
    ...ofTeas.map((path) => path.replace("/teas", "/cups")),
    ...ofTeas,
  ]);
});

test("an example of its path is sent instead", async () => {
  const own = { name: "own", request: { path: "/__openapi.json" }, response: { body: { own: true } } };
  expect((await (await startHosted({ examples: [own] })).ask("GET /__openapi.json")).body).toEqual({ own: true });
});
