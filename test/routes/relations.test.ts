import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { suffixesIn } from "../../src/http/relations/foreign-key-suffix.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt, codeOf, idsOf, startApi } from "../support/api.ts";
import { compareWithNaive, relationSuite, shopData } from "../support/relation-suite.ts";
import { serveStore } from "../support/serve-store.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";

interface Description {
  readonly paths: Record<string, { get: { parameters: { name?: string; schema?: ParameterSchema }[] } }>;
  readonly components: { readonly schemas: Record<string, { properties: JsonObject }> };
}

interface ParameterSchema {
  readonly items?: { readonly anyOf: readonly [{ readonly enum: string[] }, unknown] };
}

const SEED = Number(process.env.STANDIN_SEED ?? 1);

relationSuite(async (data) => (await startApi({ data })).ask);

test(`relations of any data are those of a plain implementation (STANDIN_SEED=${SEED})`, async () => {
  const store = new MemoryStore(State.load({}, "id"));
  const { url, close } = await serveStore(store);
  onTestFinished(close);
  await compareWithNaive(
    (line) => askAt(url, line),
    (data) => store.swap(data),
    { runs: IS_SOAK ? 100 : 6, seed: SEED },
  );
});

test("a sandbox has relations of its own", async () => {
  const { ask } = await startApi({ data: shopData() });
  await ask("PATCH /__sandbox/one/products/3", { body: { tag_ids: [2] } });
  expect(idsOf(await ask("GET /__sandbox/one/tags/2/products"))).toEqual([2, 3]);
  expect((await ask("GET /__sandbox/one/companies/2?_embed=products.tags")).body).toMatchObject({
    products: [{ tags: [{ name: "old" }] }],
  });
  expect(idsOf(await ask("GET /tags/2/products"))).toEqual([2]);
});

test("a suffix that is given holds for lists of ids, too", async () => {
  const data = {
    tags: [{ id: 1 }],
    notes: [
      { id: 1, tag_refs: [1] },
      { id: 2, tag_ids: [1] },
    ],
  };
  const { ask } = await startApi({ data, foreignKeySuffix: "_ref" });
  expect(idsOf(await ask("GET /tags/1/notes"))).toEqual([1]);
  expect((await ask("GET /notes?_expand=tags")).body).toMatchObject([{ tags: [{ id: 1 }] }, { tag_ids: [1] }]);
  expect((await ask("POST /tags/1/notes", { body: {} })).body).toEqual({ tag_refs: [1], id: 3 });
});

test("the description names what each collection leads to", async () => {
  const { ask } = await startApi({ data: shopData() });
  const { paths, components } = (await ask("GET /__openapi.json")).body as Description;
  const namesOf = (path: string) =>
    Object.fromEntries(
      paths[path]!.get.parameters.flatMap(({ name = "", schema }) =>
        ["_embed", "_expand"].includes(name) ? [[name, schema!.items!.anyOf[0].enum]] : [],
      ),
    );
  const ofProducts = { _embed: ["reviews", "company", "tag"], _expand: ["company", "tag", "tags"] };
  for (const path of ["/products", "/products/{id}", "/tags/{id}/products"]) expect(namesOf(path)).toEqual(ofProducts);
  expect(namesOf("/tags")).toEqual({ _embed: ["products"] });
  expect(components.schemas.Product!.properties).toMatchObject({
    tags: { type: "array", items: { $ref: "#/components/schemas/Tag" } },
    tag_ids: { description: "Refers to tags." },
  });
  const { relations } = (await ask("GET /__overview")).body as { relations: unknown[] };
  expect(relations).toContainEqual({ from: "products", field: "tag_ids", to: "tags", isList: true });
});

test("lists of ids tell how foreign keys end", () => {
  const data = { tags: [{ id: 1 }], notes: [{ id: 1, tag_ids: [1] }], texts: [{ id: 1, tagIds: "1" }] };
  const store = new MemoryStore(State.load(data, "id"));
  expect(suffixesIn(store.peek())).toEqual(new Map([["_id", ["notes"]]]));
});

test("a collection with dots in its name is embedded as in 0.17", async () => {
  const data = { posts: [{ id: 1 }], "posts.notes": [{ id: 1, postId: 1 }], notes: [{ id: 7, postId: 1 }] };
  const { ask } = await startApi({ data });
  expect((await ask("GET /posts?_embed=posts.notes")).body).toEqual([{ id: 1, "posts.notes": [{ id: 1, postId: 1 }] }]);
});

describe("many records", () => {
  const many = (count: number): JsonObject => ({
    posts: Array.from({ length: 100 }, (_, at) => ({ id: at + 1, topicIds: [at % 3] })),
    topics: [{ id: 0 }, { id: 1 }, { id: 2 }],
    comments: Array.from({ length: count }, (_, at) => ({ id: at + 1, postId: (at % 100) + 1 })),
  });

  test("an index on the list of ids finds what a scan finds", async () => {
    const posts = Array.from({ length: 3000 }, (_, at) => ({ id: at, topicIds: [at % 7, at % 5, "5,6"], topicId: 6 }));
    const data = { topics: [5, 6, "5,6"].map((id) => ({ id })), posts };
    const { ask } = await startApi({ data });
    const topics = (await ask("GET /topics?_embed=posts&_fields=posts.id")).body as { posts: { id: number }[] }[];
    const ids = topics.map((topic) => topic.posts.map(({ id }) => id));
    expect(ids[0]).toEqual(posts.flatMap(({ id }) => (id % 7 === 5 ? [id] : [])));
    expect(ids[1]).toEqual(posts.map(({ id }) => id));
    expect(idsOf(await ask("GET /topics/5/posts"))).toEqual(ids[0]);
  });

  testAtLength("100,000 embedded records are the most, at any level", async () => {
    const { ask } = await startApi({ data: many(99_901) });
    expect((await ask("GET /posts/1?_embed=comments.post.comments.post")).status).toBe(400);
    const first = await ask("GET /posts?_embed=comments");
    expect([first.status, (first.body as { comments: unknown[] }[])[0]!.comments.length]).toEqual([200, 1000]);
    for (const query of ["_embed=comments.post", "_embed=comments&_expand=topics", "_expand=topics.posts.comments"]) {
      const answer = await ask(`GET /posts?${query}`);
      expect([answer.status, codeOf(answer)], query).toEqual([400, "EMBED_TOO_LARGE"]);
    }
    expect((await ask("GET /posts?_embed=comments.post&_limit=40")).status).toBe(200);
    expect((await ask("GET /posts?_limit=1&_expand=topics.posts.comments")).status).toBe(200);
  });

  test("other requests are served while many are collected", async () => {
    const { ask } = await startApi({ data: many(99_900) });
    let isDone = false;
    const large = ask("GET /posts?_embed=comments").then(({ status }) => {
      isDone = true;
      return status;
    });
    let served = 0;
    while (!isDone) {
      await ask("GET /topics/1");
      served++;
    }
    expect(await large).toBe(200);
    expect(served).toBeGreaterThan(2);
  });

  test("a request for too many relations is refused", async () => {
    const names = Array.from({ length: 11 }, (_, at) => `part${at}s`);
    const record = Object.fromEntries([["id", 1], ...names.map((name) => [`${name.slice(0, -1)}Id`, 1])]);
    const data = Object.fromEntries(names.map((name) => [name, [record]]));
    const { ask } = await startApi({ data });
    const paths = names.flatMap((one) => names.map((other) => `${one}.${other}`));
    expect(codeOf(await ask(`GET /part0s?_embed=${paths.join(",")}`))).toBe("QUERY_INVALID");
    expect((await ask(`GET /part0s?_embed=${paths.slice(0, 60).join(",")}`)).status).toBe(200);
  });
});
