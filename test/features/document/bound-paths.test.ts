import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { codeHost } from "./code-host.ts";
import { apart, type Served, serve } from "./serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve(codeHost);
});

describe("ids of two segments", () => {
  async function created(ask: Served["ask"]): Promise<{ repo: JsonObject; path: string }> {
    const repo = (await ask("POST /user/repos", { body: { name: "demo", description: "First" } })).body as JsonObject;
    return { repo, path: `/repos/${(repo.owner as JsonObject).login}/demo` };
  }

  test("find a record by the handle of its owner and by its name", async () => {
    const ask = apart(served);
    const { repo, path } = await created(ask);
    expect((await ask(`GET ${path}`)).body).toEqual(repo);
    expect((await ask("GET /repos/nobody/demo")).status).toBe(404);
    expect(JSON.stringify((await ask(`GET ${path}s`)).body)).toContain("owner.login and name");
  });

  test("change, act on and remove it", async () => {
    const ask = apart(served);
    const { repo, path } = await created(ask);
    const patched = await ask(`PATCH ${path}`, { body: { description: "Second" } });
    expect(patched.body).toEqual({ ...repo, description: "Second" });
    expect((await ask(`POST ${path}/archive`)).body).toMatchObject({ id: repo.id, archived: true });
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
    expect((await ask(`GET ${path}`)).status).toBe(404);
    expect((await ask(`PATCH ${path}`, { body: { description: "" } })).status).toBe(404);
  });
});

describe("lists of pages without single records", () => {
  test("show the records of a collection with the same schema", async () => {
    const ask = apart(served);
    await ask("POST /user/repos", { body: { name: "demo" } });
    const all = (await ask("GET /user/repos?per_page=100")).body;
    expect((await ask("GET /popular?per_page=100")).body).toEqual(all);
  });

  test("else have records of their own, which are turned and filtered", async () => {
    const ask = apart(served);
    const all = (await ask("GET /events?per_page=100")).body as JsonObject[];
    expect(all.length).toBeGreaterThan(2);
    expect(Object.keys(all[0]!)).toEqual(["kind"]);
    expect((await ask("GET /events?page=2&per_page=2")).body).toEqual(all.slice(2, 4));
    const { kind } = all[1]!;
    const some = (await ask(`GET /events?kind=${encodeURIComponent(String(kind))}`)).body;
    expect(some).toEqual(all.filter((one) => one.kind === kind));
  });
});

describe("the one record of a path", () => {
  test("is remembered, within what stands around it", async () => {
    const ask = apart(served);
    const { user } = (await ask("GET /user")).body as { user: JsonObject };
    expect((await ask("PUT /user", { body: { user: { bio: "I count" } } })).body).toEqual({
      user: { ...user, bio: "I count" },
    });
    expect((await ask("GET /user")).body).toEqual({ user: { ...user, bio: "I count" } });
  });

  test("is what another path makes of it", async () => {
    const ask = apart(served);
    const ada = { login: "ada", email: "ada@example.org" };
    const made = await ask("POST /users", { body: { user: ada } });
    expect([made.status, made.body]).toMatchObject([201, { user: ada }]);
    expect((await ask("GET /user")).body).toMatchObject({ user: ada });
  });

  test("does not show a password that its schema lacks", async () => {
    const ask = apart(served);
    const made = await ask("POST /users", { body: { user: { login: "ada", password: "secret" } } });
    expect(made.body).toMatchObject({ user: { login: "ada" } });
    expect(JSON.stringify([made.body, (await ask("GET /user")).body])).not.toContain("password");
  });

  test("is there once for each parent, without a write before it is changed", async () => {
    const ask = apart(served);
    const [first, second] = (await ask("GET /teams")).body as JsonObject[];
    const before = (await ask(`GET /teams/${first!.id}/settings`)).body as JsonObject;
    expect(Object.keys(before).sort()).toEqual(["size", "theme"]);
    expect((await ask(`GET /teams/${first!.id}/settings`)).body).toEqual(before);
    const other = (await ask(`GET /teams/${second!.id}/settings`)).body;
    const changed = await ask(`PATCH /teams/${first!.id}/settings`, { body: { theme: "dark" } });
    expect(changed.body).toEqual({ ...before, theme: "dark" });
    expect((await ask(`GET /teams/${first!.id}/settings`)).body).toEqual({ ...before, theme: "dark" });
    expect((await ask(`GET /teams/${second!.id}/settings`)).body).toEqual(other);
    expect((await ask("GET /teams/none/settings")).status).toBe(404);
    expect((await ask("PATCH /teams/none/settings", { body: {} })).status).toBe(404);
  });
});

describe("records that are found by their metadata", () => {
  const text: JsonObject = { type: "string" };
  const pod: JsonObject = {
    type: "object",
    properties: {
      kind: text,
      metadata: { type: "object", properties: { name: text, namespace: text, uid: text } },
      spec: { type: "object", properties: { nodeName: text } },
    },
  };
  const ref: JsonObject = { $ref: "#/components/schemas/Pod" };
  const podList: JsonObject = { type: "object", properties: { kind: text, items: { type: "array", items: ref } } };
  const sends = (schema: JsonObject): JsonObject => ({
    "200": { description: "", content: { "application/json": { schema } } },
  });
  const path = (name: string): JsonObject => ({ name, in: "path", required: true, schema: text });
  const requestBody: JsonObject = { content: { "*/*": { schema: ref } } };
  const cluster: JsonObject = {
    openapi: "3.0.3",
    info: { title: "Cluster", version: "1" },
    paths: {
      "/api/v1/pods": {
        get: {
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer" } },
            { name: "continue", in: "query", schema: text },
          ],
          responses: sends(podList),
        },
      },
      "/api/v1/namespaces/{namespace}/pods": {
        parameters: [path("namespace")],
        get: { responses: sends(podList) },
        post: { requestBody, responses: sends(ref) },
      },
      "/api/v1/namespaces/{namespace}/pods/{name}": {
        parameters: [path("namespace"), path("name")],
        get: { responses: sends(ref) },
        put: { requestBody, responses: sends(ref) },
        delete: { responses: sends(ref) },
      },
    },
    components: { schemas: { Pod: pod } },
  };

  test("are listed, read, replaced and removed within their parent", async () => {
    const { ask } = await serve(cluster);
    const pods = "/api/v1/namespaces/default/pods";
    const body = { kind: "Pod", metadata: { name: "web" }, spec: { nodeName: "a" } };
    const created = await ask(`POST ${pods}`, { body });
    expect(created.body).toMatchObject({ ...body, metadata: { name: "web", namespace: "default" } });
    expect(created.body).not.toHaveProperty("id");
    expect((await ask(`GET ${pods}/web`)).body).toEqual(created.body);
    expect((await ask(`GET ${pods}`)).body).toMatchObject({ items: [created.body] });
    expect(((await ask("GET /api/v1/pods")).body as { items: JsonObject[] }).items).toContainEqual(created.body);
    expect((await ask("GET /api/v1/namespaces/other/pods/web")).status).toBe(404);
    const next = { ...(created.body as JsonObject), spec: { nodeName: "b" } };
    expect((await ask(`PUT ${pods}/web`, { body: next })).body).toEqual(next);
    // Without its namespace, it would be in every one.
    for (const metadata of [{ uid: "u1" }, undefined]) {
      const changed = await ask(`PUT ${pods}/web`, { body: { kind: "Pod", ...(metadata && { metadata }) } });
      expect(changed.body).toMatchObject({ metadata: { name: "web", namespace: "default" } });
      expect((await ask("GET /api/v1/namespaces/other/pods/web")).status).toBe(404);
    }
    expect((await ask(`DELETE ${pods}/web`)).status).toBe(200);
    expect((await ask(`GET ${pods}/web`)).status).toBe(404);
  });
});

describe("a pet store without a list of all pets", () => {
  const text: JsonObject = { type: "string" };
  const ref: JsonObject = { $ref: "#/components/schemas/Pet" };
  const sends = (schema: JsonObject): JsonObject => ({
    "200": { description: "", content: { "application/json": { schema } } },
  });
  const requestBody: JsonObject = { content: { "application/json": { schema: ref } } };
  const by = (name: string, schema: JsonObject): JsonObject => ({
    get: { parameters: [{ name, in: "query", schema }], responses: sends({ type: "array", items: ref }) },
  });
  const store: JsonObject = {
    openapi: "3.0.3",
    info: { title: "Pets", version: "1" },
    paths: {
      "/pet": { post: { requestBody, responses: sends(ref) }, put: { requestBody, responses: sends(ref) } },
      "/pet/findByStatus": by("status", text),
      "/pet/findByTags": by("tags", { type: "array", items: text }),
      "/pet/{petId}": {
        parameters: [{ name: "petId", in: "path", required: true, schema: { type: "integer" } }],
        get: { responses: sends(ref) },
        delete: { responses: { "200": { description: "" } } },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: "object",
          required: ["name"],
          properties: {
            id: { type: "integer", example: 10 },
            name: { type: "string", example: "doggie" },
            status: { type: "string", enum: ["available", "sold"] },
            tags: { type: "array", items: { type: "object", properties: { id: { type: "integer" }, name: text } } },
          },
        },
      },
    },
  };
  const rex = { id: 10, name: "rex", status: "sold", tags: [{ id: 1, name: "tall" }] };

  test("has lists by status and by tags, and its example id is free", async () => {
    const { ask } = await serve(store);
    expect((await ask("POST /pet", { body: rex })).body).toEqual(rex);
    const sold = (await ask("GET /pet/findByStatus?status=sold")).body as JsonObject[];
    expect(sold).toContainEqual(rex);
    expect(sold.every(({ status }) => status === "sold")).toBe(true);
    expect((await ask("GET /pet/findByTags?tags=tall&tags=wild")).body).toEqual([rex]);
    expect((await ask("GET /pet/10")).body).toEqual(rex);
  });

  test("keeps its other operations when one of them is corrected", async () => {
    const { ask } = await serve(store, { bind: { pet: { list: "/pet/findByStatus", item: "/pet/{petId}" } } });
    expect((await ask("POST /pet", { body: rex })).body).toEqual(rex);
    expect((await ask("PUT /pet", { body: { ...rex, name: "max" } })).body).toEqual({ ...rex, name: "max" });
    expect((await ask("GET /pet/findByTags?tags=tall")).body).toEqual([{ ...rex, name: "max" }]);
    expect((await ask("GET /pet/findByStatus?status=sold")).body).toContainEqual({ ...rex, name: "max" });
  });
});
