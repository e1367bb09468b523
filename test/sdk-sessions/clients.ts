import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Call, Generator } from "./generated-client.ts";
import { holds, type RunStep } from "./session.ts";

/** A script of real work with a generated client. */
export interface ClientSession {
  readonly sdk: Generator;
  readonly document: string;
  run(call: Call, step: RunStep): Promise<void>;
}

const owner = {
  firstName: "Ada",
  lastName: "Lovelace",
  address: "1 Main St.",
  city: "London",
  telephone: "6085551023",
};

const spring: ClientSession = {
  sdk: "openapi-fetch",
  document: "petclinic",
  async run(call, step) {
    const add = (body: JsonObject) => call("addOwner", { body });
    const ada = await step(
      "create an owner",
      async () => add(owner),
      ({ status, body }) => {
        assert.equal(status, 201);
        has(body, owner);
        assert.deepEqual([typeof body.id, body.pets], ["number", []]);
      },
    );
    const path = { ownerId: idOf(ada?.body) };
    await step("read an owner", () => call("getOwner", { path }), isNow(owner));
    await step(
      "list owners",
      () => call("listOwners"),
      ({ body }) => holds(body.some((one) => idOf(one) === path.ownerId)),
    );
    await step(
      "list owners by name",
      () => call("listOwners", { query: { lastName: "Lovelace" } }),
      ({ body }) => assert.deepEqual(body.map(idOf), [path.ownerId]),
    );
    await step("page through owners", async () => {
      for (const firstName of ["Bob", "Cleo", "Dan"]) await add({ ...owner, firstName, lastName: "Pager" });
      const pages = [];
      for (const page of [0, 1])
        pages.push((await call("listOwnersPage", { query: { lastName: "Pager", page, size: 2 } })).body);
      assert.deepEqual(
        pages.map(({ content }) => (content as JsonObject[]).map(({ firstName }) => firstName)),
        [["Bob", "Cleo"], ["Dan"]],
      );
      for (const [page, body] of pages.entries()) has(body, { page, size: 2, totalElements: 3, totalPages: 2 });
    });
    await step("page through owners by the defaults", () => call("listOwnersPage"), isNow({ page: 0 }));
    await step("change an owner", async () => {
      const { status } = await call("updateOwner", { path, body: { ...owner, city: "Paris" } });
      holds(status === 200 || status === 204, `status ${status}`);
      has((await call("getOwner", { path })).body, { ...owner, city: "Paris", id: path.ownerId });
    });
    const type = await step(
      "create a pet type",
      () => call("addPetType", { body: { name: "newt" } }),
      isNow({ name: "newt" }),
    );
    const newt = { id: idOf(type?.body), name: "newt" };
    const pet = await step(
      "create a pet below an owner",
      () => call("addPetToOwner", { path, body: { name: "Leo", birthDate: "2020-09-07", type: newt } }),
      isNow({ name: "Leo", type: newt, ownerId: path.ownerId, visits: [] }),
    );
    await step(
      "read a pet below an owner",
      () => call("getOwnersPet", { path: { ...path, petId: idOf(pet?.body) } }),
      isNow({ name: "Leo", ownerId: path.ownerId }),
    );
    await step("read a pet", () => call("getPet", { path: { petId: idOf(pet?.body) } }), isNow({ name: "Leo" }));
    await step(
      "book a visit",
      () =>
        call("addVisitToOwner", { path: { ...path, petId: idOf(pet?.body) }, body: { description: "rabies shot" } }),
      isNow({ description: "rabies shot", petId: idOf(pet?.body) }),
    );
    await step(
      "create a vet with specialties",
      () =>
        call("addVet", {
          body: { firstName: "Helen", lastName: "Leary", specialties: [{ id: 1, name: "radiology" }] },
        }),
      isNow({ lastName: "Leary", specialties: [{ id: 1, name: "radiology" }] }),
    );
    await step(
      "404 as a problem",
      () => call("getOwner", { path: { ownerId: 987654 } }),
      ({ status, body }) => {
        assert.equal(status, 404);
        assert.equal(typeof body.detail, "string");
      },
    );
    await step(
      "400 without a required field",
      () => add({ firstName: "Ada" }),
      ({ status, body }) => {
        assert.equal(status, 400);
        assert.match(JSON.stringify(body), /lastName/);
      },
    );
    await step("remove an owner", async () => {
      holds((await call("deleteOwner", { path })).status < 300);
      assert.equal((await call("getOwner", { path })).status, 404);
    });
  },
};

const fastapi: ClientSession = {
  sdk: "hey-api",
  document: "fastapi",
  async run(call, step) {
    const item = await step(
      "create an item",
      () => call("create_item", { body: { title: "Hat", price: "12.50" } }),
      ({ status, body }) => {
        assert.equal(status, 201);
        has(body, { title: "Hat", price: "12.50", description: null });
      },
    );
    const path = { item_id: String(item?.body.id ?? "none") };
    await step("read an item", () => call("read_item", { path }), isNow({ title: "Hat", price: "12.50" }));
    await step(
      "change an item",
      () => call("update_item", { path, body: { description: "Blue" } }),
      isNow({ title: "Hat", description: "Blue" }),
    );
    await step("page through items", async () => {
      for (const title of ["Coat", "Sock", "Shoe"]) await call("create_item", { body: { title, price: "1.00" } });
      const { body } = await call("read_items");
      const seen = [];
      for (let skip = 0; skip < Number(body.count); skip += 2) {
        seen.push(
          ...((await call("read_items", { query: { skip, limit: 2 } })).body.data as JsonObject[]).map(({ id }) => id),
        );
      }
      assert.equal(seen.length, body.count);
      assert.equal(new Set(seen).size, seen.length);
    });
    await step(
      "list by a field",
      () => call("read_items", { query: { title: "Hat" } }),
      ({ body }) =>
        assert.deepEqual(
          (body.data as JsonObject[]).map(({ id }) => id),
          [path.item_id],
        ),
    );
    await step(
      "prices are decimals",
      () => call("read_items", { query: { limit: 100 } }),
      ({ body }) => holds((body.data as JsonObject[]).every(({ price }) => /^-?\d+(\.\d+)?$/.test(String(price)))),
    );
    await step(
      "422 names the missing field",
      () => call("create_item", { body: { title: "No price" } }),
      ({ status, body }) => {
        assert.equal(status, 422);
        const [first] = body.detail as JsonObject[];
        assert.deepEqual(first?.loc, ["body", "price"]);
        assert.equal(typeof first?.msg, "string");
      },
    );
    await step(
      "422 names a wrong query parameter",
      () => call("read_items", { query: { limit: "many" } }),
      ({ status, body }) => {
        assert.equal(status, 422);
        assert.deepEqual((body.detail as JsonObject[])[0]?.loc, ["query", "limit"]);
      },
    );
    await step(
      "404 with a detail",
      () => call("read_item", { path: { item_id: "3fa85f64-5717-4562-b3fc-2c963f66afa6" } }),
      ({ status, body }) => {
        assert.equal(status, 404);
        assert.equal(typeof body.detail, "string");
      },
    );
    await step("change the settings", async () => {
      await call("update_settings", { body: { theme: "dark" } });
      has((await call("read_settings")).body, { theme: "dark" });
    });
    await step("remove an item", async () => {
      holds((await call("delete_item", { path })).status < 300);
      assert.equal((await call("read_item", { path })).status, 404);
    });
  },
};

const realworld: ClientSession = {
  sdk: "orval",
  document: "realworld",
  async run(call, step) {
    const article = { title: "Dragons", description: "How to train them", body: "Slowly", tagList: ["beasts"] };
    const inside = ({ body }: { body: JsonObject }) => body.article as JsonObject;
    const listed = ({ body }: { body: JsonObject }) => body.articles as JsonObject[];
    await step(
      "register",
      () => call("CreateUser", { body: { user: { username: "ada", email: "ada@example.org", password: "secret" } } }),
      ({ status, body }) => {
        assert.equal(status, 201);
        has(body.user as JsonObject, { username: "ada", email: "ada@example.org" });
        assert.equal(Object.hasOwn(body.user as JsonObject, "password"), false);
      },
    );
    await step(
      "log in",
      () => call("Login", { body: { user: { email: "ada@example.org", password: "secret" } } }),
      ({ status, body }) => {
        assert.equal(status, 200);
        assert.equal(typeof (body.user as JsonObject).token, "string");
      },
    );
    await step("change the current user", async () => {
      const { email } = (await call("GetCurrentUser")).body.user as JsonObject;
      await call("UpdateCurrentUser", { body: { user: { bio: "I count" } } });
      has((await call("GetCurrentUser")).body.user as JsonObject, { bio: "I count", email: email ?? null });
    });
    const made = await step(
      "write an article",
      () => call("CreateArticle", { body: { article } }),
      (result) => {
        assert.equal(result.status, 201);
        has(inside(result), article);
      },
    );
    const slug = String(made ? inside(made).slug : "none");
    await step(
      "read an article",
      () => call("GetArticle", { path: { slug } }),
      (result) => has(inside(result), { ...article, slug }),
    );
    await step(
      "list articles",
      () => call("GetArticles", { query: { limit: 100 } }),
      (result) => {
        holds(listed(result).some((one) => one.slug === slug));
        assert.equal(result.body.articlesCount, listed(result).length);
      },
    );
    await step("page through articles", async () => {
      const first = await call("GetArticles", { query: { limit: 2, offset: 0 } });
      const second = await call("GetArticles", { query: { limit: 2, offset: 2 } });
      const slugs = [...listed(first), ...listed(second)].map((one) => one.slug);
      assert.equal(new Set(slugs).size, 4);
      assert.equal(first.body.articlesCount, second.body.articlesCount);
      holds(Number(first.body.articlesCount) > 4);
    });
    await step(
      "list by tag",
      () => call("GetArticles", { query: { tag: "beasts" } }),
      (result) => {
        holds(listed(result).some((one) => one.slug === slug));
        holds(listed(result).every((one) => (one.tagList as string[]).includes("beasts")));
      },
    );
    await step("list by author", async () => {
      const author = made ? (inside(made).author as JsonObject).username : undefined;
      const result = await call("GetArticles", { query: { author: String(author) } });
      holds(listed(result).some((one) => one.slug === slug));
      holds(listed(result).every((one) => (one.author as JsonObject).username === author));
    });
    await step(
      "change an article",
      () => call("UpdateArticle", { path: { slug }, body: { article: { body: "Quickly" } } }),
      (result) => has(inside(result), { ...article, body: "Quickly" }),
    );
    await step(
      "favorite an article",
      () => call("CreateArticleFavorite", { path: { slug } }),
      (result) => has(inside(result), { slug, title: "Dragons" }),
    );
    await step("comment on an article", async () => {
      await call("CreateArticleComment", { path: { slug }, body: { comment: { body: "Thanks" } } });
      const { body } = await call("GetArticleComments", { path: { slug } });
      assert.deepEqual(
        (body.comments as JsonObject[]).map((one) => one.body),
        ["Thanks"],
      );
    });
    await step(
      "list tags",
      () => call("GetTags"),
      ({ body }) => holds((body.tags as unknown[]).every((tag) => typeof tag === "string")),
    );
    await step(
      "422 without a title",
      () => call("CreateArticle", { body: { article: { body: "x", description: "y" } } }),
      ({ status, body }) => {
        assert.equal(status, 422);
        assert.match(JSON.stringify(body), /title/);
      },
    );
    await step("delete an article", async () => {
      holds((await call("DeleteArticle", { path: { slug } })).status < 300);
      holds((await call("GetArticle", { path: { slug } })).status >= 400);
    });
  },
};

export const clientSessions: readonly ClientSession[] = [spring, fastapi, realworld];

function isNow(fields: JsonObject) {
  return (result: { status: number; body: JsonObject }) => {
    holds(result.status < 300, `${result.status} ${JSON.stringify(result.body).slice(0, 150)}`);
    has(result.body, fields);
  };
}

function has(body: JsonObject, fields: JsonObject): void {
  assert.deepEqual(Object.fromEntries(Object.keys(fields).map((key) => [key, body[key]])), fields);
}

function idOf(body: unknown): number {
  return Number((body as JsonObject | undefined)?.id ?? -1);
}
