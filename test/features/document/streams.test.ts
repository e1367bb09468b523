import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { serve } from "./serve.ts";

const body = {
  type: "object",
  required: ["prompt"],
  properties: { prompt: { type: "string" }, stream: { type: "boolean" } },
};
const answer = {
  type: "object",
  required: ["id", "text"],
  properties: { id: { type: "string" }, prompt: { type: "string" }, text: { type: "string" } },
};
const chunk = { type: "object", required: ["delta"], properties: { delta: { type: "string", example: "Hel" } } };

const both = (events: JsonObject) => ({
  requestBody: { content: { "application/json": { schema: body } } },
  responses: {
    200: {
      description: "",
      content: { "application/json": { schema: answer }, "text/event-stream": events },
    },
  },
});

const document: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Answers", version: "1" },
  paths: {
    "/answers": {
      get: {
        responses: {
          200: { description: "", content: { "application/json": { schema: { type: "array", items: answer } } } },
        },
      },
      post: { operationId: "createAnswer", ...both({ schema: chunk }) },
    },
    "/answers/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { responses: { 200: { description: "", content: { "application/json": { schema: answer } } } } },
    },
    "/listed": { post: both({ example: [{ delta: "a" }, { event: "done", data: { ok: true } }] }) },
    "/written": { post: both({ example: "event: a\ndata: 1" }) },
  },
};

test("stream: true gets events, and stores nothing; otherwise a record is created", async () => {
  const { ask } = await serve(document);
  const count = async () => ((await ask("GET /answers")).body as unknown[]).length;
  const before = await count();
  const streamed = await ask("POST /answers", {
    body: { prompt: "a", stream: true },
    headers: { accept: "application/json" },
  });
  expect(streamed.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(streamed.text).toBe('data: {"delta":"Hel"}\n\n');
  expect(await count()).toBe(before);
  expect((await ask("POST /answers", { body: { prompt: "a" } })).body).toHaveProperty("id");
  expect(await count()).toBe(before + 1);
  expect((await ask("POST /answers", { body: { stream: true } })).status).toBe(422);
});

test("each element of a list is an event, and written events stay as they are", async () => {
  const { ask } = await serve(document);
  const asked = { body: { prompt: "a" }, headers: { accept: "text/event-stream" } };
  expect((await ask("POST /listed", asked)).text).toBe('data: {"delta":"a"}\n\nevent: done\ndata: {"ok":true}\n\n');
  expect((await ask("POST /written", asked)).text).toBe("event: a\ndata: 1\n\n");
});

const talk: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Talk", version: "1" },
  paths: {
    "/talk": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { model: { type: "string" }, count: { type: "integer" }, stream: { type: "boolean" } },
              },
            },
          },
        },
        responses: {
          200: {
            description: "",
            content: {
              "application/json": { schema: message("talk", "message", { enum: ["assistant"] }) },
              "text/event-stream": { schema: message("chunk", "delta", { enum: ["system", "user", "assistant"] }) },
            },
          },
        },
      },
    },
  },
};

function message(object: string, name: string, role: JsonObject): JsonObject {
  const inner = { type: "object", required: ["role"], properties: { role: { type: "string", ...role } } };
  const choice = { type: "object", required: [name], properties: { [name]: inner } };
  return {
    type: "object",
    required: ["object", "model", "choices"],
    properties: {
      object: { type: "string", enum: [object] },
      model: { type: "string", maxLength: 5 },
      count: { type: "integer", example: 7 },
      choices: { type: "array", minItems: 1, items: choice },
    },
  };
}

test("a response from examples repeats what was sent, as far as its schema allows that", async () => {
  const { ask } = await serve(talk);
  const { body } = await ask("POST /talk", { body: { model: "small", count: 100 } });
  expect(body).toMatchObject({ object: "talk", model: "small", count: 7 });
  expect((await ask("POST /talk", { body: { model: "much too long" } })).body).not.toHaveProperty(
    "model",
    "much too long",
  );
});

test("events repeat it too, and have the values that the body without a stream always has", async () => {
  const { ask } = await serve(talk);
  const { text } = await ask("POST /talk", { body: { model: "small", stream: true } });
  const event = JSON.parse(text.replace(/^data: /, "")) as JsonObject;
  expect(event).toMatchObject({ object: "chunk", model: "small", choices: [{ delta: { role: "assistant" } }, {}] });
});
