import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json/json.ts";
import { applyPatch, parsePatch } from "../../src/http/patch/json-patch.ts";
import { mergePatch } from "../../src/http/patch/merge-patch.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";

describe("JSON Merge Patch: the examples of RFC 7396, appendix A", () => {
  const cases: [original: Json, patch: Json, result: Json][] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [original, patch, result] of cases) {
    test(`${JSON.stringify(original)} with ${JSON.stringify(patch)} -> ${JSON.stringify(result)}`, () => {
      const before = JSON.stringify(original);
      expect(JSON.stringify(mergePatch(original, patch))).toBe(JSON.stringify(result));
      expect(JSON.stringify(original)).toBe(before);
    });
  }
});

/** A result, or the code of the refusal. */
type Outcome = Json | { readonly code: "PATCH_FAILED" | "PATCH_INVALID" };

describe("JSON Patch", () => {
  const failed = { code: "PATCH_FAILED" } as const;
  const invalid = { code: "PATCH_INVALID" } as const;
  const cases: [name: string, document: Json, patch: Json, outcome: Outcome][] = [
    // RFC 6902, appendix A
    ["A.1 add a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { foo: "bar", baz: "qux" }],
    [
      "A.2 add an element",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    ["A.3 remove a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
    [
      "A.4 remove an element",
      { foo: ["bar", "qux", "baz"] },
      [{ op: "remove", path: "/foo/1" }],
      { foo: ["bar", "baz"] },
    ],
    [
      "A.5 replace a value",
      { baz: "qux", foo: "bar" },
      [{ op: "replace", path: "/baz", value: "boo" }],
      { baz: "boo", foo: "bar" },
    ],
    [
      "A.6 move a value",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "A.7 move an element",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "A.8 test a value: success",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    ["A.9 test a value: error", { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }], failed],
    [
      "A.10 add a nested object",
      { foo: "bar" },
      [{ op: "add", path: "/child", value: { grandchild: {} } }],
      { foo: "bar", child: { grandchild: {} } },
    ],
    [
      "A.11 ignore unknown members",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux", xyz: 123 }],
      { foo: "bar", baz: "qux" },
    ],
    [
      "A.12 add to a target that does not exist",
      { foo: "bar" },
      [{ op: "add", path: "/baz/bat", value: "qux" }],
      failed,
    ],
    [
      "A.14 escapes in a pointer",
      { "/": 9, "~1": 10 },
      [{ op: "test", path: "/~01", value: 10 }],
      { "/": 9, "~1": 10 },
    ],
    ["A.15 a text is no number", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }], failed],
    [
      "A.16 add an array",
      { foo: ["bar"] },
      [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
      { foo: ["bar", ["abc", "def"]] },
    ],
    // corner cases
    ["no operation", { a: 1 }, [], { a: 1 }],
    ["add replaces a member that exists", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
    ["add null", { a: 1 }, [{ op: "add", path: "/b", value: null }], { a: 1, b: null }],
    ["add at the end by its position", { a: [1] }, [{ op: "add", path: "/a/1", value: 2 }], { a: [1, 2] }],
    ["add beyond the end", { a: [1] }, [{ op: "add", path: "/a/2", value: 2 }], failed],
    ["add at a position with a leading zero", { a: [1] }, [{ op: "add", path: "/a/00", value: 2 }], failed],
    ["add at a position that is no number", { a: [1] }, [{ op: "add", path: "/a/1e0", value: 2 }], failed],
    ["add at a negative position", { a: [1] }, [{ op: "add", path: "/a/-1", value: 2 }], failed],
    ["add below a text", { a: "x" }, [{ op: "add", path: "/a/0", value: 2 }], failed],
    ["add the whole document", { a: 1 }, [{ op: "add", path: "", value: { b: 2 } }], { b: 2 }],
    ["replace the whole document", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
    ["replace a member that does not exist", { a: 1 }, [{ op: "replace", path: "/b", value: 1 }], failed],
    ["replace with null", { a: 1 }, [{ op: "replace", path: "/a", value: null }], { a: null }],
    ["remove a member that does not exist", { a: 1 }, [{ op: "remove", path: "/b" }], failed],
    ["remove at the end of an array", { a: [1] }, [{ op: "remove", path: "/a/-" }], failed],
    ["remove the whole document", { a: 1 }, [{ op: "remove", path: "" }], invalid],
    ["the empty name", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
    ["test the whole document", { a: 1 }, [{ op: "test", path: "", value: { a: 1 } }], { a: 1 }],
    [
      "test ignores the order of members",
      { a: { b: 1, c: 2 } },
      [{ op: "test", path: "/a", value: { c: 2, b: 1 } }],
      { a: { b: 1, c: 2 } },
    ],
    ["test minds the order of elements", { a: [1, 2] }, [{ op: "test", path: "/a", value: [2, 1] }], failed],
    ["test null", { a: null }, [{ op: "test", path: "/a", value: null }], { a: null }],
    ["test null where there is nothing", {}, [{ op: "test", path: "/a", value: null }], failed],
    [
      "copy, then change the copy alone",
      { a: { b: 1 } },
      [
        { op: "copy", from: "/a", path: "/c" },
        { op: "replace", path: "/c/b", value: 2 },
      ],
      { a: { b: 1 }, c: { b: 2 } },
    ],
    ["copy an element", { a: [1, 2] }, [{ op: "copy", from: "/a/0", path: "/a/-" }], { a: [1, 2, 1] }],
    ["move to itself", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
    ["move into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], invalid],
    ["move beside a longer name", { a: 1, ab: {} }, [{ op: "move", from: "/a", path: "/ab/c" }], { ab: { c: 1 } }],
    ["move what does not exist", { a: 1 }, [{ op: "move", from: "/b", path: "/a" }], failed],
    [
      "one after the other",
      { a: 1 },
      [
        { op: "add", path: "/b", value: 2 },
        { op: "remove", path: "/a" },
        { op: "test", path: "/b", value: 2 },
      ],
      { b: 2 },
    ],
    ["a member named constructor", {}, [{ op: "replace", path: "/constructor", value: 1 }], failed],
    ["a member named toString", {}, [{ op: "add", path: "/toString", value: 1 }], { toString: 1 }],
    ["__proto__ in a path", {}, [{ op: "add", path: "/__proto__/x", value: 1 }], invalid],
    ["__proto__ in from", { a: 1 }, [{ op: "copy", from: "/__proto__", path: "/b" }], invalid],
    ["no array", { a: 1 }, { op: "remove", path: "/a" }, invalid],
    ["an operation that is no object", {}, ["remove"], invalid],
    ["no op", {}, [{ path: "/a" }], invalid],
    ["an unknown op", {}, [{ op: "spam", path: "/a" }], invalid],
    ["an op in capitals", {}, [{ op: "ADD", path: "/a", value: 1 }], invalid],
    ["no path", {}, [{ op: "add", value: 1 }], invalid],
    ["a path that is no text", {}, [{ op: "add", path: 1, value: 1 }], invalid],
    ["a path without a slash", {}, [{ op: "add", path: "a", value: 1 }], invalid],
    ["a path with a wrong escape", {}, [{ op: "add", path: "/a~2", value: 1 }], invalid],
    ["no value", {}, [{ op: "add", path: "/a" }], invalid],
    ["no from", {}, [{ op: "move", path: "/a" }], invalid],
    [
      "more operations than are allowed",
      {},
      Array.from({ length: 1001 }, () => ({ op: "test", path: "", value: {} })),
      invalid,
    ],
    [
      "copies that double",
      { a: [1, 1] },
      Array.from({ length: 40 }, () => ({ op: "copy", from: "/a", path: "/a/-" })),
      invalid,
    ],
  ];
  for (const [name, document, patch, outcome] of cases) {
    test(name, () => {
      const before = JSON.stringify(document);
      const apply = (): Json => applyPatch(document, parsePatch(patch));
      if (outcome === failed || outcome === invalid) {
        expect(apply).toThrow(expect.objectContaining(outcome));
      } else expect(apply()).toEqual(outcome);
      expect(JSON.stringify(document)).toBe(before);
    });
  }
});

describe("PATCH by content type", () => {
  let api: Standin<object>;
  beforeAll(async () => {
    api = await createStandin({
      data: {
        products: [{ id: 1, name: "Pot", size: { width: 3, height: 4 }, tags: ["clay"], old: true }],
        profile: { theme: "light", view: { zoom: 1 } },
      },
    });
  });
  afterAll(() => api.close());

  const patch = (path: string, type: string, body: unknown, headers = {}) =>
    askAt(api.url, `PATCH ${path}`, { body, headers: { "Content-Type": type, ...headers } });
  const MERGE = "application/merge-patch+json";
  const OPERATIONS = "application/json-patch+json";

  test("merge-patch removes by null and merges objects", async () => {
    const { status, body } = await patch("/products/1", `${MERGE}; charset=utf-8`, { old: null, size: { width: 5 } });
    expect([status, body]).toEqual([200, { id: 1, name: "Pot", size: { width: 5, height: 4 }, tags: ["clay"] }]);
  });

  test("json-patch applies all operations or none", async () => {
    const done = await patch("/products/1", OPERATIONS, [
      { op: "test", path: "/name", value: "Pot" },
      { op: "add", path: "/tags/-", value: "new" },
    ]);
    expect(done.body).toMatchObject({ tags: ["clay", "new"] });
    const refused = await patch("/products/1", OPERATIONS, [
      { op: "remove", path: "/tags" },
      { op: "test", path: "/name", value: "Mug" },
    ]);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: "Patch cannot be applied",
        message: 'operation 1 (test): the value at "/name" is different.',
        code: "PATCH_FAILED",
      },
    ]);
    expect((await askAt(api.url, "GET /products/1")).body).toMatchObject({ tags: ["clay", "new"] });
  });

  test("application/json stays a shallow merge, and null is a value", async () => {
    const { body } = await patch("/products/1", "application/json", { size: { depth: 1 }, extra: null });
    expect(body).toMatchObject({ size: { depth: 1 }, extra: null });
    expect((body as { size: object }).size).not.toHaveProperty("height");
  });

  test("the id stays", async () => {
    expect((await patch("/products/1", MERGE, { id: 9, name: "Jar" })).body).toMatchObject({ id: 1, name: "Jar" });
    expect((await patch("/products/1", OPERATIONS, [{ op: "remove", path: "/id" }])).body).toMatchObject({ id: 1 });
  });

  test("singletons, too", async () => {
    expect((await patch("/profile", MERGE, { theme: null, view: { zoom: 2 } })).body).toEqual({ view: { zoom: 2 } });
    const operations = [{ op: "move", from: "/view/zoom", path: "/zoom" }];
    expect((await patch("/profile", OPERATIONS, operations)).body).toEqual({ view: {}, zoom: 2 });
  });

  test("If-Match is checked before the patch", async () => {
    const { status } = await patch("/products/1", OPERATIONS, [{ op: "test", path: "/no", value: 1 }], {
      "If-Match": '"old"',
    });
    expect(status).toBe(412);
  });

  for (const [name, type, body, code] of [
    ["a record must stay an object", MERGE, "text", "PATCH_INVALID"],
    ["a patch must be an array", OPERATIONS, { op: "remove", path: "/name" }, "PATCH_INVALID"],
    ["__proto__ is refused", OPERATIONS, [{ op: "add", path: "/__proto__", value: 1 }], "PATCH_INVALID"],
  ] as const) {
    test(name, async () => {
      expect((await patch("/products/1", type, JSON.stringify(body))).body).toMatchObject({ code });
    });
  }

  test("a record nested too deeply is refused", async () => {
    let deep: Json = {};
    for (let level = 0; level < 150; level++) deep = { a: deep };
    await patch("/products/1", MERGE, { deep });
    // Each copies the whole into its own deepest object, which doubles the depth.
    const operations = [1, 2, 4, 8].map((times) => ({
      op: "copy",
      from: "/deep",
      path: `/deep${"/a".repeat(150 * times + times)}`,
    }));
    const { status, body } = await patch("/products/1", OPERATIONS, operations);
    expect([status, body]).toMatchObject([400, { code: "BODY_TOO_DEEP" }]);
  });

  test("each patch is one change", async () => {
    const before = (await api.changes()).length;
    await patch("/products/1", MERGE, { name: "Vase" });
    await patch("/products/1", OPERATIONS, [{ op: "replace", path: "/name", value: "Bowl" }]);
    expect((await api.changes()).length - before).toBe(2);
  });
});
