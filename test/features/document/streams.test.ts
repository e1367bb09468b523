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
  const [event, last] = eventsIn(text);
  expect(event).toMatchObject({ object: "chunk", model: "small", choices: [{ delta: { role: "assistant" } }] });
  expect(last).toMatchObject({ object: "chunk", choices: [{ delta: {} }] });
});

function eventsIn(text: string): JsonObject[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as JsonObject);
}

const counted = { sequence_number: { type: "integer" } };
const event = (type: string, properties: JsonObject) => ({
  type: "object",
  required: ["type", "sequence_number", ...Object.keys(properties)],
  properties: { type: { type: "string", enum: [type] }, ...counted, ...properties },
});
const reply = { $ref: "#/components/schemas/Reply" };
const part = { $ref: "#/components/schemas/Part" };
const at = { part_index: { type: "integer" }, part_id: { type: "string" } };

const told: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Replies", version: "1" },
  paths: {
    "/replies": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  topic: { type: "string" },
                  tone: { type: "string" },
                  stream: { type: "boolean", description: "The stream ends with `data: [DONE]`." },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: "",
            content: {
              "application/json": { schema: reply },
              "text/event-stream": {
                schema: {
                  anyOf: [
                    event("error", { message: { type: "string" } }),
                    event("reply.completed", { reply }),
                    event("reply.failed", { reply }),
                    event("reply.in_progress", { reply }),
                    event("reply.part.added", { ...at, part }),
                    event("reply.part.done", { ...at, part }),
                    event("reply.prose.delta", { ...at, delta: { type: "string" } }),
                    event("reply.prose.done", { ...at, text: { type: "string" } }),
                    event("reply.created", { reply }),
                  ],
                },
              },
            },
          },
        },
      },
    },
    "/replies/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { responses: { 200: { description: "", content: { "application/json": { schema: reply } } } } },
    },
  },
  components: {
    schemas: {
      Reply: {
        type: "object",
        required: ["id", "status", "parts"],
        properties: {
          id: { type: "string" },
          topic: { type: "string" },
          tone: { type: "string" },
          status: { type: "string", enum: ["completed", "in_progress"], default: "completed" },
          parts: { type: "array", items: part, description: "The parts generated by the writer." },
        },
      },
      Part: {
        type: "object",
        required: ["id", "type", "text"],
        properties: { id: { type: "string" }, type: { const: "prose" }, text: { type: "string" } },
      },
    },
  },
};

test("a stream of typed events tells in order how a stored record came about", async () => {
  const { ask } = await serve(told);
  const { text } = await ask("POST /replies", { body: { topic: "hats", stream: true } });
  const events = eventsIn(text);
  const types = events.map(({ type }) => type).filter((type, position, all) => type !== all[position - 1]);
  expect(types).toEqual([
    "reply.created",
    "reply.in_progress",
    "reply.part.added",
    "reply.prose.delta",
    "reply.prose.done",
    "reply.part.done",
    "reply.completed",
  ]);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, position) => position));
  expect(text).toMatch(/^event: reply\.created\ndata: /);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  const last = events.at(-1)?.reply as { id: string; parts: { id: string; text: string }[] };
  const [held] = last.parts;
  expect(events[0]?.reply).toMatchObject({ id: last.id, status: "in_progress", parts: [] });
  expect(events.flatMap(({ delta }) => delta ?? []).join("")).toBe(held?.text);
  expect(events.find(({ delta }) => delta !== undefined)).toMatchObject({ part_index: 0, part_id: held?.id });
  const { body } = await ask(`GET /replies/${last.id}`);
  expect(body).toEqual(last);
  expect(body).not.toHaveProperty("stream");
});
