import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const DATA = {
  categories: [
    { id: 1, name: "All", parentId: null },
    { id: 2, name: "Hats", parentId: 1 },
  ],
  posts: [{ id: 1, title: "Hello", authorId: 2, editor_id: 1, labels: [1, 2] }],
  users: [
    { id: 1, name: "Ann" },
    { id: 2, name: "Bob" },
  ],
  tags: [
    { id: 1, word: "a" },
    { id: 2, word: "b" },
  ],
};
const RULES = {
  categories: { "x-references": { parentId: "categories" } },
  posts: {
    properties: { labels: { type: "array" } },
    "x-references": { authorId: "users", editor_id: "users", labels: "tags" },
  },
};
const RELATIONS = {
  categories: { parentId: "categories" },
  posts: { authorId: "users", editor_id: "users", labels: ["tags"] },
} as const;

test("_expand by a field that nothing declares says how to declare it", async () => {
  await using api = await createStandin({ data: structuredClone(DATA) });
  const { headers } = await fetch(`${api.url}/posts?_expand=author`);
  expect(headers.get("warning")).toContain(
    "posts has no relation %22author%22. Name the collection that authorId refers to under %22relations%22 in the config file.",
  );
});

for (const [how, options] of [
  ["the rules", { rules: RULES }],
  ["the option relations", { relations: RELATIONS }],
] as const) {
  describe(`relations by ${how}`, () => {
    let api: Standin;
    beforeAll(async () => {
      api = await createStandin({ data: structuredClone(DATA), ...options });
    });
    afterAll(() => api.close());
    const get = async (path: string): Promise<unknown> => (await fetch(`${api.url}${path}`)).json();
    const [all, hats] = DATA.categories;
    const [post] = DATA.posts;
    const [ann, bob] = DATA.users;

    test("_expand by the name of the field", async () => {
      expect(await get("/categories/2?_expand=parent")).toEqual({ ...hats, parent: all });
      expect(await get("/categories?_expand=parent")).toEqual([all, { ...hats, parent: all }]);
      expect(await get("/posts?_expand=author,editor")).toEqual([{ ...post, author: bob, editor: ann }]);
      expect(await get("/posts/1?_expand=labels")).toEqual({ ...post, labels: DATA.tags });
    });

    test("_expand by the name of the collection", async () => {
      expect(await get("/posts/1?_expand=user")).toEqual({ ...post, user: bob });
    });

    test("_embed and nested routes", async () => {
      expect(await get("/categories/1?_embed=categories")).toEqual({ ...all, categories: [hats] });
      expect(await get("/users?_embed=posts")).toEqual([
        { ...ann, posts: [post] },
        { ...bob, posts: [post] },
      ]);
      expect(await get("/users/2/posts")).toEqual([post]);
      expect(await get("/tags/2/posts")).toEqual([post]);
    });

    test("several levels", async () => {
      expect(await get("/posts/1?_expand=author.posts")).toEqual({ ...post, author: { ...bob, posts: [post] } });
    });

    test("a change of the parent changes the ETag", async () => {
      const path = `${api.url}/categories/2?_expand=parent`;
      const etag = (await fetch(path)).headers.get("etag") ?? "";
      await api.db.categories?.update(1, { name: "Everything" });
      const again = await fetch(path, { headers: { "If-None-Match": etag } });
      expect(again.status).toBe(200);
      await api.db.categories?.update(1, { name: "All" });
    });

    test("a new child gets the key", async () => {
      const body = JSON.stringify({ name: "Caps" });
      const headers = { "Content-Type": "application/json" };
      const made = await fetch(`${api.url}/categories/1/categories`, { method: "POST", headers, body });
      expect(await made.json()).toEqual({ name: "Caps", parentId: 1, id: 3 });
      await api.db.categories?.remove(3);
    });

    test("strict handling knows them, and a misspelt one is named", async () => {
      const strict = { headers: { Prefer: "handling=strict" } };
      expect((await fetch(`${api.url}/categories?_expand=parent`, strict)).status).toBe(200);
      const wrong = await fetch(`${api.url}/categories?_expand=parnt`, strict);
      expect((await wrong.json()).message).toContain('Did you mean "parent"?');
    });

    test("the console, the types and the API description have them", async () => {
      const { relations } = (await get("/__overview")) as { relations: object[] };
      expect(relations).toContainEqual({ from: "categories", field: "parentId", to: "categories", name: "parent" });
      expect(relations).toContainEqual({ from: "posts", field: "labels", to: "tags", isList: true, name: "labels" });
      const { components } = (await get("/__openapi.json")) as {
        components: { schemas: Record<string, { properties: object }> };
      };
      expect(Object.keys(components.schemas.Post?.properties ?? {})).toEqual(
        expect.arrayContaining(["author", "editor"]),
      );
      expect(await (await fetch(`${api.url}/__types`)).text()).toMatch(/authorId.*\n?.*users|users.*\n?.*authorId/i);
    });
  });
}

test("relations that cannot be meant are refused or warned about", async () => {
  for (const [relations, said] of [
    [{ posts: 5 }, 'standin.json: "relations.posts" must be an object'],
    [{ posts: { authorId: [] } }, 'standin.json: "relations.posts.authorId" must name a collection'],
  ] as const) {
    const folder = createFolder({ "db.json": DATA, "standin.json": { relations } });
    const { output, exit } = runKept(["--port", "0"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain(said);
  }
  const config = { relations: { posts: { authorId: "user" } }, collections: { post: {}, later: {} } };
  const folder = createFolder({ "db.json": DATA, "standin.json": config });
  const server = await serveKept([], folder);
  expect(server.output.stdout).toContain(
    '"relations" names "user", which the data does not have. Did you mean "users"?',
  );
  expect(server.output.stdout.match(/"collections" names .*/g)).toEqual([
    '"collections" names "post", which the data does not have. Did you mean "posts"?',
  ]);
  await server.stop();
});
