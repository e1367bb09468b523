import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { ref, response } from "./documents.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const uuid: JsonObject = { type: "string", format: "uuid" };
const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
});
const sends = (schema: JsonObject): JsonObject => ({ responses: { 200: response(schema) } });
const takes = (name: string): JsonObject => ({
  requestBody: { content: { "application/json": { schema: ref(name) } } },
});

/** A collection below the wildcards of a path. */
function collection(path: string, id: [name: string, schema: JsonObject], record: string): JsonObject {
  const wildcards = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({ name, schema: text }));
  const inPath = (one: { name: string; schema: JsonObject }): JsonObject => ({ ...one, in: "path", required: true });
  const [name, schema] = id;
  return {
    [path]: {
      parameters: wildcards.map(inPath),
      get: sends({ type: "array", items: ref(record) }),
      post: { ...takes(`${record}Change`), ...sends(ref(record)) },
    },
    [`${path}/{${name}}`]: {
      parameters: [...wildcards, { name, schema }].map(inPath),
      get: sends(ref(record)),
      put: { ...takes(`${record}Change`), ...sends(ref(record)) },
    },
  };
}

const api: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Forgotten", version: "1" },
  paths: {
    ...collection("/members", ["id", integer], "Member"),
    ...collection("/rules", ["rule_id", uuid], "Rule"),
    ...collection("/limits", ["limit_id", integer], "Limit"),
    ...collection("/projects", ["project_id", text], "Project"),
    ...collection("/projects/{project_id}/repos", ["repo_id", text], "Repo"),
    ...collection("/projects/{project_id}/repos/{repo_id}/builds/{reference}/tags", ["tag_id", text], "Tag"),
    ...collection("/projects/{project_id}/alerts", ["alert_id", text], "Alert"),
  },
  components: {
    schemas: {
      Member: object({ uuid, pk: { ...integer, readOnly: true }, name: text }, ["name"]),
      MemberChange: object({ name: text }, []),
      // Neither the id nor the kind is described.
      Rule: object({ label: text }, ["id", "kind", "label"]),
      RuleChange: object({ label: text }, []),
      Limit: object({ id: { ...text, example: "2" }, amount: text }, ["amount"]),
      LimitChange: object({ amount: text }, []),
      Project: object({ project_id: text, name: text }, ["name"]),
      ProjectChange: object({ name: text }, []),
      Repo: object({ repo_id: text, project_id: text }, []),
      RepoChange: object({ name: text }, []),
      Tag: object({ tag_id: text, repo_id: text, project_id: text }, []),
      TagChange: object({ name: text }, []),
      Alert: object({ alert_id: text, note: text, project: object({ id: text, name: text }, []) }, ["note"]),
      AlertChange: object({ note: text, project: object({ id: text }, []) }, []),
    },
  },
};

let served: Served;
beforeAll(async () => {
  served = await serve(api);
});

describe("what documents forget to say", () => {
  test("a wildcard for numbers is not the UUID that records have besides", async () => {
    const [first] = (await served.ask("GET /members")).body as JsonObject[];
    expect((await served.ask(`GET /members/${first?.pk}`)).body).toEqual(first);
  });

  test("required properties that are not described are there, and an id has the form of its path", async () => {
    const ask = apart(served);
    const [first] = (await ask("GET /rules")).body as JsonObject[];
    expect(Object.keys(first ?? {}).sort()).toEqual(["id", "kind", "label"]);
    const own = (await ask("POST /rules", { body: { label: "Two" } })).body as JsonObject;
    expect(Object.keys(own).sort()).toEqual(["id", "kind", "label"]);
    expect((await ask(`GET /rules/${own.id}`)).body).toEqual(own);
  });

  test("new ids are numbers where a path takes numbers, whatever the example", async () => {
    const ask = apart(served);
    for (const amount of ["1", "2", "3"]) {
      const { id } = (await ask("POST /limits", { body: { amount } })).body as JsonObject;
      expect(id).toMatch(/^\d+$/);
      expect((await ask(`GET /limits/${id}`)).body).toMatchObject({ id, amount });
    }
  });

  test("records are below the parents of their parent, also beside one that nothing serves", async () => {
    const tags = (await served.ask("GET /tags", { headers: { "x-standin-routes": "own" } })).body as JsonObject[];
    expect(tags.length).toBeGreaterThan(0);
    for (const { project_id, repo_id, tag_id } of tags) {
      const path = `/projects/${project_id}/repos/${repo_id}/builds/main/tags`;
      const list = (await served.ask(`GET ${path}`)).body as JsonObject[];
      expect(list.map((one) => one.tag_id)).toContain(tag_id);
    }
  });

  test("a change that names a parent that does not exist leaves the record where it is", async () => {
    const ask = apart(served);
    const [project] = (await ask("GET /projects")).body as JsonObject[];
    const path = `/projects/${project?.project_id}/alerts`;
    const { alert_id: id } = (await ask(`POST ${path}`, { body: { note: "One" } })).body as JsonObject;
    const changed = await ask(`PUT ${path}/${id}`, { body: { note: "Two", project: { id: "nobody" } } });
    expect(changed.status).toBe(200);
    expect((await ask(`GET ${path}/${id}`)).body).toMatchObject({ note: "Two", project: { id: project?.project_id } });
  });
});
