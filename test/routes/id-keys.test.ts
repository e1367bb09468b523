import { cpSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { RequestHandler } from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { idKeyOf, type Overview } from "../../console/src/api/overview.ts";
import type { JsonObject } from "../../src/base/json/json.ts";
import { examine } from "../../src/commands/doctor/examine.ts";
import { createStandin } from "../../src/index.ts";
import { createCompletions } from "../../src/store/completion.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { createStore } from "../postgres/database.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { serveStore } from "../support/serve-store.ts";

const COLLECTIONS = {
  owners: { idKey: "code" },
  pets: { idKey: "petId" },
  toys: { idKey: "toyNo", id: "prefix:t_" },
} as const;
const ID_KEYS = { owners: "code", pets: "petId", toys: "toyNo" };

/** The `id` of a pet is a field like any other. */
const DATA = {
  owners: [{ code: "ann" }, { code: "bob" }],
  pets: [
    { petId: 1, id: "chip-9", name: "Rex", ownerId: "ann" },
    { petId: 2, name: "Tom", ownerId: "bob" },
  ],
  visits: [{ id: 1, petId: 2, cost: 5 }],
};

type Step = readonly [line: string, options: AskOptions, status: number, part: unknown];

const send = (body: unknown, headers: Record<string, string> = {}): AskOptions => ({ body, headers });
const DRY: AskOptions = { headers: { Prefer: "tx=rollback" } };
const REX = { petId: 1, id: "chip-9", name: "Rex", ownerId: "ann" };

/** Each starts with the data above. */
const CASES: Readonly<Record<string, readonly Step[]>> = {
  "read one": [
    ["GET /pets/1", {}, 200, REX],
    ["GET /owners/ann", {}, 200, { code: "ann" }],
    ["GET /visits/1", {}, 200, { id: 1 }],
    ["GET /pets/chip-9", {}, 404, { message: expect.stringContaining('no record with petId "chip-9"') }],
    ["GET /pets//visits", {}, 404, { message: expect.stringContaining('petId ""') }],
  ],
  create: [
    ["POST /pets", send({ name: "Kit", id: "x" }), 201, { name: "Kit", id: "x", petId: 3 }],
    ["POST /pets", send({ petId: 3 }), 409, { code: "ID_TAKEN", message: expect.stringContaining("petId") }],
    ["POST /pets", send({ petId: true }), 400, { code: "ID_INVALID", message: expect.stringContaining('"petId"') }],
    ["POST /pets", send({ id: true }), 201, { id: true, petId: 4 }],
    ["POST /owners", send({ id: 5 }), 201, { id: 5, code: expect.stringMatching(/^\w{7}$/) }],
    ["POST /pets", send([{}, { petId: 9 }, {}]), 201, [{ petId: 10 }, { petId: 9 }, { petId: 11 }]],
    ["POST /pets", { ...send({}), ...DRY }, 201, { petId: 12 }],
    ["GET /pets/12", {}, 404, {}],
  ],
  "change one, never its id": [
    ["PATCH /pets/1", send({ petId: 7, id: 8 }), 200, { ...REX, id: 8 }],
    ["PUT /pets/1", send({ petId: 7, name: "Max" }), 200, { petId: 1, name: "Max" }],
    [
      "PATCH /pets/1",
      send([{ op: "remove", path: "/name" }], { "Content-Type": "application/json-patch+json" }),
      200,
      { petId: 1 },
    ],
    [
      "PATCH /pets/1",
      send([{ op: "replace", path: "/petId", value: 7 }], { "Content-Type": "application/json-patch+json" }),
      200,
      { petId: 1 },
    ],
    ["GET /pets/7", {}, 404, {}],
    ["DELETE /pets/1", {}, 200, {}],
    ["GET /pets", {}, 200, [{ petId: 2 }]],
  ],
  "upsert by the key of the collection": [
    ["POST /pets", send({ petId: 1, age: 3 }, { Prefer: "resolution=merge-duplicates" }), 200, { ...REX, age: 3 }],
    ["POST /pets", send({ id: 1, petId: 5 }, { Prefer: "resolution=ignore-duplicates" }), 201, { petId: 5 }],
    ["POST /visits", send({ id: 1, cost: 6 }, { Prefer: "resolution=merge-duplicates" }), 200, { id: 1, cost: 6 }],
  ],
  "filter, sort and pages by the key": [
    ["GET /pets?petId=2", {}, 200, [{ petId: 2 }]],
    ["GET /pets?petId:in=1,2&_sort=-petId", {}, 200, [{ petId: 2 }, { petId: 1 }]],
    ["GET /pets?id=chip-9", {}, 200, [{ petId: 1 }]],
    ["PATCH /pets?petId=2", send({ age: 4, petId: 8 }), 200, { count: 1, ids: [2] }],
    ["PATCH /pets", send({ age: 4 }), 400, { message: expect.stringContaining("/pets?petId:in=1,2") }],
    ["DELETE /pets?age=4", {}, 200, { count: 1, ids: [2] }],
  ],
  relations: [
    ["GET /pets/1?_expand=owner", {}, 200, { ...REX, owner: { code: "ann" } }],
    ["GET /pets?_expand=owner", {}, 200, [{ owner: { code: "ann" } }, { owner: { code: "bob" } }]],
    ["GET /owners/ann?_embed=pets", {}, 200, { code: "ann", pets: [REX] }],
    ["GET /owners?_embed=pets.visits", {}, 200, [{ pets: [{ visits: [] }] }, { pets: [{ visits: [{ id: 1 }] }] }]],
    ["GET /visits?_expand=pet.owner", {}, 200, [{ pet: { petId: 2, owner: { code: "bob" } } }]],
    // A key of its own refers to nothing.
    ["GET /pets/1?_expand=pet", {}, 200, expect.not.objectContaining({ pet: expect.anything() })],
    ["GET /owners/ann/pets", {}, 200, [REX]],
    ["GET /pets/2/visits", {}, 200, [{ id: 1 }]],
    ["POST /owners/bob/pets", send({ name: "Pip" }), 201, { name: "Pip", ownerId: "bob", petId: 3 }],
    ["POST /pets/1/visits", send({ cost: 2 }), 201, { petId: 1, id: 2 }],
    ["DELETE /owners/bob?_dependent=pets", {}, 200, {}],
    ["GET /pets", {}, 200, [{ petId: 1 }]],
  ],
  "a batch with references": [
    [
      "POST /__batch",
      send({
        requests: [
          { method: "POST", path: "/pets", body: { name: "Kit" }, as: "pet" },
          { method: "POST", path: "/pets/{{pet.petId}}/visits", body: { cost: 1 } },
          { method: "PATCH", path: "/pets/{{pet.petId}}", body: { seen: true } },
          { method: "POST", path: "/pets", body: { petId: 20 } },
          { method: "GET", path: "/pets/20" },
          { method: "DELETE", path: "/pets/1" },
        ],
      }),
      200,
      {
        responses: [
          { headers: { Location: expect.stringMatching(/\/pets\/3$/) }, body: { petId: 3 } },
          { body: { petId: 3, cost: 1, id: 2 } },
          { body: { petId: 3, seen: true } },
          { status: 201 },
          { body: { petId: 20 } },
          { status: 200 },
        ],
      },
    ],
    ["GET /pets?_fields=petId", {}, 200, [{ petId: 2 }, { petId: 3 }, { petId: 20 }]],
  ],
  "a collection that comes at run time, by name": [
    ["POST /__collections", send({ name: "toys" }), 201, {}],
    ["POST /toys", send({}), 201, { toyNo: expect.stringMatching(/^t_/) }],
    ["POST /__collections", send({ name: "notes" }), 201, {}],
    ["POST /notes", send({}), 201, { id: 1 }],
  ],
  "a renamed collection keeps its key, and a name with one of its own has that": [
    ["PATCH /__collections/pets", { ...send({ name: "animals" }), ...DRY }, 200, {}],
    ["PATCH /__collections/pets", send({ name: "animals" }), 200, {}],
    ["GET /animals/1", {}, 200, REX],
    ["POST /animals", send({}), 201, { petId: 3 }],
    ["POST /__snapshots__", send({ name: "renamed" }), 201, {}],
    ["PUT /__snapshots__/renamed", {}, 200, {}],
    ["GET /animals/3", {}, 200, { petId: 3 }],
    ["PATCH /__collections/visits", send({ name: "pets" }), 200, {}],
    ["GET /pets/2", {}, 200, { id: 1, petId: 2 }],
    ["GET /pets/1", {}, 404, {}],
    ["POST /pets", send({}), 201, { petId: 3 }],
    ["DELETE /__collections/animals", {}, 200, {}],
    ["POST /__collections", send({ name: "animals" }), 201, {}],
    ["POST /animals", send({}), 201, { id: 1 }],
  ],
  "snapshots, reset and their comparison": [
    ["POST /__snapshots__", send({ name: "before" }), 201, {}],
    ["PATCH /pets/1", send({ id: "other" }), 200, {}],
    ["POST /pets", send({ id: "chip-9" }), 201, { petId: 3 }],
    [
      "GET /__snapshots__/before/comparison",
      {},
      200,
      {
        members: expect.arrayContaining([expect.objectContaining({ name: "pets", added: 1, changed: 1, removed: 0 })]),
      },
    ],
    ["PUT /__snapshots__/before", {}, 200, {}],
    ["GET /pets/3", {}, 404, {}],
    ["POST /pets", send({}), 201, { petId: 3 }],
    ["POST /__reset", {}, 200, {}],
    ["GET /pets/1", {}, 200, REX],
    ["POST /pets", send({}), 201, { petId: 3 }],
  ],
};

/** The part of `req.app.db` that the test uses. */
interface Lowdb {
  get(name: string): { getById(id: unknown): { value(): unknown } };
}

interface Place {
  readonly url: string;
  /** Headers that lead to the data. */
  readonly headers?: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const FILES = {
  file: { "db.json": JSON.stringify(DATA) },
  folder: Object.fromEntries(Object.entries(DATA).map(([name, value]) => [`${name}.json`, JSON.stringify(value)])),
};

async function startFiles(folder: string, kind: keyof typeof FILES): Promise<Place> {
  const source = kind === "file" ? join(folder, "db.json") : folder;
  return createStandin({ source, persist: true, collections: COLLECTIONS });
}

async function startPostgres(): Promise<Place> {
  const settings = new Map(Object.entries(COLLECTIONS));
  const completions = createCompletions(settings, { now: Date.now, seed: undefined });
  const { store, close } = await createStore({ idKeys: ID_KEYS, completions });
  await store.data.replace(incomingMembers(DATA), true);
  const served = await serveStore(store);
  return { url: served.url, close: () => served.close().then(close) };
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  memory: () => createStandin({ data: DATA, collections: COLLECTIONS }),
  "a sandbox": async () => {
    const standin = await createStandin({ data: DATA, collections: COLLECTIONS });
    const { headers } = standin.sandbox();
    return { url: standin.url, headers, close: () => standin.close() };
  },
  "a file": () => startFiles(createFolder(FILES.file), "file"),
  PostgreSQL: startPostgres,
};

const askIn = ({ url, headers = {} }: Place, line: string, options: AskOptions = {}) =>
  askAt(url, line, { ...options, headers: { ...options.headers, ...headers } });

for (const [name, start] of Object.entries(PLACES)) {
  describe(`primary keys by collection in ${name}`, () => {
    let place: Place;
    beforeAll(async () => {
      place = await start();
    });
    afterAll(() => place.close());
    beforeEach(async () => {
      await askIn(place, "POST /__reset");
    });

    for (const [title, steps] of Object.entries(CASES)) {
      test(title, async () => {
        for (const [line, options, status, part] of steps) {
          const answer = await askIn(place, line, options);
          const shown = JSON.stringify(answer.body ?? answer.text);
          expect(answer.status, `${line}: ${shown}`).toBe(status);
          expect(answer.body, line).toMatchObject(part as object);
        }
      });
    }

    test("a new record's address, and a cursor", async () => {
      const { headers } = await askIn(place, "POST /pets", send({ name: "Kit" }));
      expect(headers.get("location")).toMatch(/\/pets\/3$/);
      const seen: unknown[] = [];
      for (let line: string | undefined = "/pets?_sort=-petId&_limit=1&_after="; line !== undefined; ) {
        const page = await askIn(place, `GET ${line}`);
        seen.push(...(page.body as { petId: number }[]).map(({ petId }) => petId));
        line = /<[^>]*(\/pets[^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      }
      expect(seen).toEqual([3, 2, 1]);
    });

    test("changes, the overview and the description name the ids and keys", async () => {
      await askIn(place, "GET /__changes");
      await askIn(place, "PATCH /pets/2", send({ seen: true }));
      const { body } = await askIn(place, "GET /__changes?wait=5000");
      const edits = (body as { changes: { edits?: unknown[] }[] }).changes.flatMap((change) => change.edits ?? []);
      expect(edits.at(-1)).toMatchObject({ name: "pets", kind: "changed", id: 2 });
      const overview = (await askIn(place, "GET /__overview")).body;
      expect(["owners", "pets", "visits"].map((one) => idKeyOf(overview as Overview, one))).toEqual([
        "code",
        "petId",
        "id",
      ]);
      expect(overview).toMatchObject({
        idKey: "id",
        members: [
          { name: "owners", idKey: "code" },
          { name: "pets", idKey: "petId" },
          { name: "visits", idKey: "id" },
        ],
        relations: [
          { from: "pets", field: "ownerId", to: "owners" },
          { from: "visits", field: "petId", to: "pets" },
        ],
      });
      const { paths } = (await askIn(place, "GET /__openapi.json")).body as { paths: Record<string, JsonObject> };
      const parameters = JSON.stringify([paths["/pets/{id}"], paths["/owners/{id}"], paths["/visits/{id}"]]);
      expect(parameters.match(/Its `\w+`/g)).toEqual(["Its `petId`", "Its `code`", "Its `id`"]);
      const guide = (await askIn(place, "GET /llms.txt")).text;
      expect(guide).toContain("- GET /pets/1\n");
      expect(guide).toContain("- GET /owners/ann\n");
    });
  });
}

for (const kind of ["file", "folder"] as const) {
  test(`a ${kind} is read with the same keys after a kill and after a restart`, async () => {
    const folder = createFolder(FILES[kind]);
    const killed = join(createFolder({}), basename(folder));
    const first = await startFiles(folder, kind);
    await askIn(first, "POST /pets", send({ name: "Kit" }));
    await askIn(first, "PATCH /owners/ann", send({ city: "Rome" }));
    // The journal has the changes, the files do not.
    cpSync(folder, killed, { recursive: true });
    await first.close();
    for (const place of [await startFiles(killed, kind), await startFiles(folder, kind)]) {
      expect((await askIn(place, "GET /pets/3")).body).toEqual({ name: "Kit", petId: 3 });
      expect((await askIn(place, "GET /owners/ann")).body).toEqual({ code: "ann", city: "Rome" });
      expect((await askIn(place, "POST /pets", send({}))).body).toEqual({ petId: 4 });
      await place.close();
    }
  });
}

test("after a rename, a file asks for the key in the config", async () => {
  const warnings: string[] = [];
  const source = join(createFolder(FILES.file), "db.json");
  const warn = (text: string): void => void warnings.push(text);
  await using api = await createStandin({ source, persist: true, collections: COLLECTIONS, warn });
  await api.collections.rename("visits", "stays");
  expect(warnings).toEqual([]);
  await api.collections.rename("pets", "animals");
  expect(warnings).toEqual([expect.stringContaining('Add {"animals":{"idKey":"petId"}} to "collections"')]);
});

test("two processes on one database: a rename by one is known to the other, and to a later start", async () => {
  const first = await createStore({ idKeys: ID_KEYS });
  const second = await createStore({ idKeys: ID_KEYS, schema: first.schema });
  await first.store.data.replace(incomingMembers(DATA), true);
  await first.store.alter({ kind: "renamed", name: "pets", to: "animals" });
  // As a request for an unknown collection does.
  await second.store.refresh();
  expect((await second.store.get("animals", "2"))?.value).toMatchObject({ name: "Tom" });
  await second.store.apply({ kind: "create", collection: "animals", bodies: [{}] });
  const third = await createStore({ idKeys: ID_KEYS, schema: first.schema });
  expect((await third.store.get("animals", "3"))?.value).toEqual({ petId: 3 });
  for (const { close } of [third, second, first]) await close();
});

describe("beside the routes", () => {
  const RULES = {
    pets: {
      properties: { petId: { type: "integer" }, ownerId: { type: "string" } },
      "x-references": { ownerId: { collection: "owners", onDelete: "refuse" } },
    },
    owners: { properties: { code: { type: "string", pattern: "^[a-z]{3,9}$" } }, required: ["code"] },
    visits: { additionalProperties: false, properties: { id: {}, petId: {}, cost: {} } },
  };

  test("references, generated records, typed collections and req.app.db know the keys", async () => {
    const warnings: string[] = [];
    const seen: unknown[] = [];
    await using api = await createStandin<JsonObject>({
      data: structuredClone(DATA),
      collections: COLLECTIONS,
      rules: RULES,
      warn: (text) => void warnings.push(text),
      middlewares: [
        ((req, _res, next) => {
          const { db } = req.app as unknown as { db: Lowdb };
          seen.push(db.get("pets").getById(2).value(), db.get("visits").getById(1).value());
          next();
        }) as RequestHandler,
      ],
    });
    expect(warnings).toEqual([]);
    const ask = (line: string, options?: AskOptions) => askAt(api.url, line, options);
    expect((await ask("POST /pets", send({ ownerId: "nobody" }))).status).toBe(422);
    expect((await ask("POST /pets", send({ ownerId: "bob" }))).body).toEqual({ ownerId: "bob", petId: 3 });
    expect((await ask("DELETE /owners/ann")).status).toBe(409);
    expect(seen.slice(0, 2)).toEqual([DATA.pets[1], DATA.visits[0]]);
    const made = await api.db.owners!.make();
    expect(made).toEqual({ code: expect.stringMatching(/^[a-z]{3,9}$/) });
    expect(await api.db.pets!.make({ ownerId: "ann" })).toMatchObject({ petId: 4, ownerId: "ann" });
    expect(await api.db.pets!.upsert({ petId: 1, name: "Max" })).toMatchObject({ id: "chip-9", name: "Max" });
  });

  test("a rule that forgets the key is warned of by its name", async () => {
    const warnings: string[] = [];
    const rules = { pets: { additionalProperties: false, properties: { id: {} } } };
    const warn = (text: string): void => void warnings.push(text);
    await using _api = await createStandin({ data: { pets: [] }, collections: COLLECTIONS, rules, warn });
    expect(warnings).toEqual([expect.stringContaining("do not allow the field petId")]);
  });

  test("the commands read them from the config file", async () => {
    const data = { ...DATA, pets: [...DATA.pets, { petId: 1, name: "Twin", ownerId: "eve" }] };
    const folder = createFolder({
      "db.json": data,
      "rules.json": RULES,
      "standin.json": { collections: COLLECTIONS },
      "package.json": { scripts: { mock: "json-server db.json" } },
    });
    const run = async (...words: string[]): Promise<string> => {
      const { output, exit } = runKept(words, folder);
      await exit;
      return output.stdout;
    };
    expect(await run("check", "--rules", "rules.json", "--format", "json")).toContain(
      '"collection":"pets","id":1,"index":2,"pointer":"/ownerId"',
    );
    expect(JSON.parse(await run("rules", "--quiet"))).toMatchObject({
      owners: { "x-unique": ["code"] },
      visits: { "x-references": { petId: "pets" } },
    });
    const csharp = await run("types", "--lang", "csharp");
    expect(csharp).toContain('[JsonPropertyName("code")]\n    public string? Code');
    await run("generate", "made.json", "--rules", "rules.json", "--counts", "owners=2,pets=3,visits=1", "--seed", "1");
    const made = JSON.parse(readFileSync(join(folder, "made.json"), "utf8")) as typeof DATA;
    expect(made.pets.map(({ petId }) => petId)).toEqual([1, 2, 3]);
    expect(Object.keys(made.owners[0]!)).toEqual(["code"]);
    const { findings } = examine(folder);
    const aboutData = findings.filter(({ file }) => file === "db.json").map(({ message }) => message);
    expect(aboutData[0]).toContain('pets: several records have the "petId"');
    expect(aboutData.slice(1)).toEqual(["The data can be served."]);
  });

  const wrong: readonly [setting: unknown, message: string][] = [
    ["", "collections.pets.idKey: must name a field"],
    [7, "collections.pets.idKey: must name a field"],
    ["__proto__", "collections.pets.idKey: must name a field"],
  ];
  for (const [idKey, message] of wrong) {
    test(`${JSON.stringify(idKey)} is no key`, async () => {
      const collections = { pets: { idKey: idKey as string } };
      await expect(createStandin({ data: {}, collections })).rejects.toThrow(message);
    });
  }

  test("neither a time nor a default may take the place of the key", async () => {
    const start = (settings: object) =>
      createStandin({ data: {}, collections: { pets: { idKey: "no", ...settings } } });
    await expect(start({ defaults: { no: 1 } })).rejects.toThrow("collections.pets.defaults.no");
    await expect(start({ timestamps: { created: "no" } })).rejects.toThrow('"no" is the primary key');
    await using _api = await start({ defaults: { id: 1 }, timestamps: { created: "made" } });
  });
});
