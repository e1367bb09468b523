import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted } from "../support/hosted.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BOOK = {
  type: "object",
  properties: {
    id: { type: "integer", xml: { attribute: true } },
    title: { type: "string", xml: { name: "bookTitle", prefix: "b", namespace: "https://example.com/books" } },
    tags: { type: "array", xml: { wrapped: true }, items: { type: "string", xml: { name: "tag" } } },
    notes: { type: "array", items: { type: "string" } },
    author: { $ref: "#/components/schemas/Author" },
  },
  example: {
    id: 7,
    title: "Salt & <Pepper>",
    tags: ["a", "b"],
    notes: ["x", "y"],
    author: { name: 'Ada "A"', born: null },
  },
};
const AUTHOR = {
  type: "object",
  properties: { name: { type: "string", xml: { nodeType: "attribute" } }, born: { type: "integer", nullable: true } },
};

/** By path: the media type, and the content. */
const CONTENTS: Readonly<Record<string, readonly [type: string, media: object]>> = {
  book: ["application/xml", { schema: { $ref: "#/components/schemas/Book" } }],
  books: [
    "text/xml; charset=utf-8",
    { schema: { type: "array", maxItems: 1, items: { $ref: "#/components/schemas/Book" } } },
  ],
  given: [
    "application/xml",
    { schema: { $ref: "#/components/schemas/Author" }, example: { name: "Al", "strange name": 1 } },
  ],
  written: ["application/xml", { schema: { $ref: "#/components/schemas/Author" }, example: "<a>1</a>" }],
  scalar: ["application/xml", { schema: { type: "integer", enum: [5], xml: { name: "count" } } }],
  text: [
    "application/json",
    { schema: { type: "object", properties: { a: { type: "integer" } } }, example: '{"a": 1}' },
  ],
  string: ["application/json", { schema: { type: "string" }, example: '{"a": 1}' }],
  address: [
    "application/json",
    { schema: { type: "object", required: ["a"], properties: { a: { enum: [1] } } }, example: "/examples/a.json#body" },
  ],
  wrong: ["application/json", { schema: { type: "object", required: ["a"] }, example: { b: 1 } }],
  completed: [
    "application/json",
    { schema: { type: "object", required: ["a"], properties: { a: { enum: [1] } }, example: { b: 1 } } },
  ],
  png: ["image/png", { schema: { type: "string", format: "binary" } }],
  jpeg: ["image/jpeg", { schema: { type: "string", format: "binary" } }],
  gif: ["image/gif", { schema: {} }],
  webp: ["image/webp", { schema: { type: "string" } }],
  bare: ["image/jpeg", {}],
  svg: ["image/svg+xml", { schema: { type: "string" } }],
  picture: ["image/*", { schema: { type: "string", format: "binary" } }],
  pdf: ["application/pdf", { schema: { type: "string", format: "binary" } }],
  bytes: ["application/octet-stream", { schema: { type: "string", format: "binary" } }],
  download: ["*/*", { schema: { type: "string", format: "binary" } }],
  base64: ["image/png", { schema: { type: "string", format: "binary" }, example: PNG }],
  raw: ["application/octet-stream", { schema: { type: "string", format: "binary" }, example: "a\u00ff{{id}}" }],
  byte: ["application/json", { schema: { type: "string", format: "byte" } }],
};

describe("bodies in their media types", () => {
  let api: Awaited<ReturnType<typeof openHosted>>;
  beforeAll(async () => {
    const paths = Object.entries(CONTENTS).map(([path, [type, media]]): [string, object] => [
      `/${path}`,
      { get: { responses: { 200: { description: "", content: { [type]: media } } } } },
    ]);
    const document = {
      openapi: "3.0.3",
      info: { title: "", version: "" },
      paths: {
        ...Object.fromEntries(paths),
        "/chats": {
          post: {
            responses: {
              200: {
                description: "",
                content: { "application/json": { example: { all: 1 } }, "text/event-stream": { example: { part: 1 } } },
              },
            },
          },
        },
      },
      components: { schemas: { Book: BOOK, Author: AUTHOR } },
    } as unknown as JsonObject;
    api = await openHosted(join(createFolder({ "openapi.json": document }), "openapi.json"));
  });
  afterAll(() => api.close());

  async function get(path: string): Promise<{ type: string | null; bytes: Buffer }> {
    const response = await fetch(`${api.url}/${path}`);
    expect(response.status).toBe(200);
    return { type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) };
  }

  test.each([
    ['{"stream":true}', 'data: {"part":1}\n\n'],
    ['{"stream":false}', '{"all":1}'],
    ['{"stream":', '{"all":1}'],
  ])("a request with %s gets events, or JSON", async (body, expected) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${api.url}/chats`, { method: "POST", headers, body });
    expect(await response.text()).toBe(expected);
  });

  const xml: readonly [path: string, type: string, lines: readonly string[]][] = [
    [
      "book",
      "application/xml",
      [
        '<Book id="7">',
        '  <b:bookTitle xmlns:b="https://example.com/books">Salt &amp; &lt;Pepper&gt;</b:bookTitle>',
        "  <tags>",
        "    <tag>a</tag>",
        "    <tag>b</tag>",
        "  </tags>",
        "  <notes>x</notes>",
        "  <notes>y</notes>",
        '  <author name="Ada &quot;A&quot;">',
        "    <born/>",
        "  </author>",
        "</Book>",
      ],
    ],
    ["given", "application/xml", ['<Author name="Al">', "  <strange_name>1</strange_name>", "</Author>"]],
    ["scalar", "application/xml", ["<count>5</count>"]],
  ];
  for (const [path, type, lines] of xml) {
    test(`GET /${path} -> XML with the names, attributes and wrappers of its schema`, async () => {
      const answer = await get(path);
      expect(answer.type).toBe(type);
      expect(answer.bytes.toString()).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${lines.join("\n")}\n`);
    });
  }

  test("a list is one element around its items; XML given as text is sent as it is", async () => {
    const { bytes } = await get("books");
    expect(bytes.toString()).toMatch(/^<\?xml[^\n]*\n<items>\n {2}<Book id="7">[\s\S]*<\/Book>\n<\/items>\n$/);
    expect((await get("written")).bytes.toString()).toBe("<a>1</a>");
  });

  const json: readonly [path: string, body: unknown, why: string][] = [
    ["text", { a: 1 }, "JSON text as the example of an object is parsed"],
    ["string", '{"a": 1}', "but not where the schema is a text"],
    ["address", { a: 1 }, "a text where no text can be gives way to a body from the schema"],
    ["wrong", { b: 1 }, "an example of the response is sent, valid or not"],
    ["completed", { b: 1, a: 1 }, "an example of the schema is completed"],
    ["byte", expect.stringMatching(/^[A-Za-z\d+/]+={0,2}$/), "base64 in JSON stays text"],
  ];
  for (const [path, body, why] of json) {
    test(`GET /${path} -> ${why}`, async () => {
      expect(JSON.parse((await get(path)).bytes.toString())).toEqual(body);
    });
  }

  const bytes: readonly [path: string, type: string, start: string, end: string][] = [
    ["png", "image/png", "89504e470d0a1a0a", "49454e44ae426082"],
    ["picture", "image/png", "89504e470d0a1a0a", "49454e44ae426082"],
    ["base64", "image/png", "89504e470d0a1a0a", "49454e44ae426082"],
    ["jpeg", "image/jpeg", "ffd8ff", "ffd9"],
    ["gif", "image/gif", "474946383961", "3b"],
    ["bare", "image/jpeg", "ffd8ff", "ffd9"],
    ["webp", "image/webp", "52494646", ""],
    ["pdf", "application/pdf", "255044462d", "0a2525454f460a"],
    ["raw", "application/octet-stream", "61c3bf7b7b69647d7d", "61c3bf7b7b69647d7d"],
  ];
  for (const [path, type, start, end] of bytes) {
    test(`GET /${path} -> ${type}, byte for byte`, async () => {
      const answer = await get(path);
      expect(answer.type).toBe(type);
      const hex = answer.bytes.toString("hex");
      expect([hex.slice(0, start.length), hex.slice(hex.length - end.length)]).toEqual([start, end]);
    });
  }

  test("SVG is XML, other bytes repeat with the seed", async () => {
    expect((await get("svg")).bytes.toString()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    const { type, bytes: first } = await get("bytes");
    expect(type).toBe("application/octet-stream");
    expect(first).toHaveLength(64);
    expect((await get("bytes")).bytes.equals(first)).toBe(true);
    expect((await get("download")).type).toBe("application/octet-stream");
  });
});
