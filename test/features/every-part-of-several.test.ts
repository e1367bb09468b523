import { expect, onTestFinished, test } from "vitest";
import { closeService } from "../../src/app/open-service.ts";
import { defineFeature, type Feature } from "../../src/features/feature.ts";
import { FEATURES } from "../../src/features/list.ts";
import type { FoundRoute } from "../../src/http/contract.ts";
import { createHandler } from "../../src/http/node/handler.ts";
import { listen } from "../../src/http/node/server.ts";
import { IdKeys } from "../../src/store/id-keys.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt } from "../support/api.ts";
import { openServiceOver } from "../support/serve-store.ts";

function storeOf(name: string): MemoryStore {
  return new MemoryStore(State.load({ items: [{ id: 1, name }] }, IdKeys.from({ idKey: "id" })));
}

/** A feature with every part that requests meet. Each responds to paths with its name, and to `both`. */
function partsOf(name: string, seen: string[]): Feature {
  const isMine = (text: string | undefined): boolean => text === name || text === "both";
  const route = (of: string): FoundRoute => ({
    row: { path: "/:any", GET: () => ({ status: 200, json: JSON.stringify(`${of} of ${name}`) }) },
    parts: {},
  });
  const page = { bytes: Buffer.from(`page of ${name}`), type: "text/plain", etag: `"${name}"` };
  return defineFeature({
    name,
    options: {},
    prepare: (data) => {
      seen.push(`prepare ${name}`);
      return data;
    },
    open: () => ({
      name,
      entrance: { prefix: "/__", headers: ["x-sandbox"], enter: () => void seen.push(`enter ${name}`) },
      record: () => void seen.push(`record ${name}`),
      pageFor: ({ client }) => (isMine(client.path.slice("/__page-".length)) ? { page, headers: {} } : undefined),
      claim: ([first, second]) => (first === "claimed" && isMine(second) ? route("claim") : undefined),
      findRoute: ([first, second]) => (first === "found" && isMine(second) ? route("route") : undefined),
      storeFor: ({ sandbox }) => (isMine(sandbox) ? storeOf(name) : undefined),
      renderError: (call) =>
        isMine(call.headers["x-form"]?.toString())
          ? { status: 404, json: JSON.stringify(`error of ${name}`) }
          : undefined,
      health: () => ({ [name]: true }),
      step: {
        isActive: true,
        respond: (call, service, next) => {
          seen.push(`step ${name}`);
          return next(call, service);
        },
      },
      stop: () => void seen.push(`stop ${name}`),
      close: () => void seen.push(`close ${name}`),
    }),
  });
}

const naming = defineFeature({
  name: "naming",
  options: {},
  open: () => ({
    name: "naming",
    entrance: {
      prefix: "/__",
      headers: ["x-sandbox"],
      enter: (call) => {
        call.sandbox = call.headers["x-sandbox"]?.toString();
      },
    },
  }),
});

async function start() {
  const seen: string[] = [];
  const features = [naming, partsOf("first", seen), partsOf("second", seen)];
  const service = await openServiceOver(storeOf("shared"), {}, { features });
  const server = await listen(await createHandler(service), { host: "127.0.0.1", port: 0 });
  const end = async (): Promise<void> => {
    for (const feature of service.features) feature.stop?.();
    await server.close();
    await closeService(service);
  };
  onTestFinished(end);
  const ask = (line: string, headers: Record<string, string> = {}) => askAt(server.url, line, { headers });
  return { ask, seen, end };
}

const FIRST_WINS: readonly (readonly [part: string, path: string, headers: Record<string, string>])[] = [
  ["claim", "/claimed/WHO", {}],
  ["route", "/found/WHO", {}],
  ["page", "/__page-WHO", {}],
  ["error", "/nothing", { "X-Form": "WHO" }],
];

for (const [part, path, headers] of FIRST_WINS) {
  test(`${part}: each feature has its own, and the first wins where both have one`, async () => {
    const { ask } = await start();
    for (const [who, winner] of [
      ["first", "first"],
      ["second", "second"],
      ["both", "first"],
    ] as const) {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace("WHO", who)]),
      );
      const { text } = await ask(`GET ${path.replace("WHO", who)}`, sent);
      expect(text).toContain(`${part} of ${winner}`);
    }
  });
}

test("data of their own: the first feature that has some wins", async () => {
  const { ask } = await start();
  const nameIn = async (sandbox: string): Promise<unknown> =>
    (await ask("GET /items/1", { "X-Sandbox": sandbox })).body;
  expect(await nameIn("first")).toMatchObject({ name: "first" });
  expect(await nameIn("second")).toMatchObject({ name: "second" });
  expect(await nameIn("both")).toMatchObject({ name: "first" });
  expect(await nameIn("none")).toMatchObject({ name: "shared" });
});

test("a refusal kept for an Idempotency-Key has the form of the feature that renders it", async () => {
  const { ask } = await start();
  const headers = { "Idempotency-Key": "a", "X-Form": "second", "Content-Type": "application/json" };
  expect((await ask("POST /nothing", headers)).text).toContain("error of second");
  expect((await ask("POST /nothing", headers)).text).toContain("error of second");
});

test("all others run, in order, and end in the opposite order", async () => {
  const { ask, seen, end } = await start();
  expect((await ask("GET /health-check", { "X-Sandbox": "third" })).body).toMatchObject({ first: true, second: true });
  await end();
  expect(seen).toEqual([
    ...["prepare first", "prepare second"],
    ...["enter first", "enter second", "step first", "step second", "record first", "record second"],
    ...["stop first", "stop second", "close second", "close first"],
  ]);
});

test("no two features have one name, by which they are found", () => {
  const names = FEATURES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
