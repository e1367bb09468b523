import { Agent, request } from "node:http";
import fc from "fast-check";
import { test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../../src/query/parse-query.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { planChange } from "../../../src/store/memory/plan-change.ts";
import { State } from "../../../src/store/memory/state.ts";
import type { SingleWrite } from "../../../src/store/store.ts";
import { expectEqual } from "../../support/expect-equal.ts";
import { serveStore } from "../../support/serve-store.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";

const RUNS = Number(process.env.STANDIN_SANDBOX_RUNS ?? 4);

/** 0 is the base, the others are sandboxes. */
const SIDES = 21;
const QUERIES = ["", "kind=b", "_sort=size&_order=desc", "size_gte=3&size_lte=7", "q=thing 1", "_page=2&_limit=3"];

const START: JsonObject = {
  things: Array.from({ length: 12 }, (_, i) => ({
    id: i + 1,
    name: `thing ${i + 1}`,
    kind: "abc"[i % 3]!,
    size: (i * 7) % 10,
  })),
  notes: [
    { id: "x", text: "first" },
    { id: "y", text: "second" },
  ],
  profile: { theme: "light" },
};

type Step = { side: number; kind: "write"; write: SingleWrite } | { side: number; kind: "read"; query: string } | Whole;
type Whole = { side: number; kind: "reset" | "remove" };

const id = fc.integer({ min: 1, max: 16 }).map(String);
const body = fc.record({ name: fc.constantFrom("thing 1", "other"), kind: fc.constantFrom("a", "b"), size: fc.nat(9) });
const write: fc.Arbitrary<SingleWrite> = fc.oneof(
  body.map((one): SingleWrite => ({ kind: "create", collection: "things", bodies: [one] })),
  fc
    .tuple(id, body)
    .map(([one, fields]): SingleWrite => ({ kind: "replace", collection: "things", id: one, body: fields })),
  fc
    .tuple(id, fc.nat(9))
    .map(([one, size]): SingleWrite => ({ kind: "patch", collection: "things", id: one, body: { size } })),
  id.map((one): SingleWrite => ({ kind: "remove", collection: "things", id: one, dependents: [] })),
  fc
    .constantFrom("dark", "blue")
    .map((theme): SingleWrite => ({ kind: "patch-singleton", name: "profile", body: { theme } })),
);
const step: fc.Arbitrary<Step> = fc.nat(SIDES - 1).chain((side) =>
  fc.oneof(
    { weight: 6, arbitrary: write.map((one): Step => ({ side, kind: "write", write: one })) },
    { weight: 6, arbitrary: fc.constantFrom(...QUERIES).map((query): Step => ({ side, kind: "read", query })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("reset", "remove").map((kind): Step => ({ side, kind: kind as Whole["kind"] })),
    },
  ),
);

/** One server that shares nothing with any other: a State of its own, without indexes. */
class Model {
  #state: State;
  readonly #birth: JsonObject;

  constructor(birth: JsonObject) {
    this.#birth = birth;
    this.#state = State.load(structuredClone(birth), "id");
  }

  /** The status that a client would see. */
  write(one: SingleWrite): number {
    try {
      this.#state.commit(planChange(this.#state, one));
      return one.kind === "create" ? 201 : 200;
    } catch (thrown) {
      return (thrown as { status: number }).status;
    }
  }

  async read(query: string): Promise<unknown> {
    const { records } = await new MemoryStore(this.#state).find("things", parseQuery(parseParameters(query)));
    return records.map(({ value }) => value);
  }

  reset(): void {
    this.#state = State.load(structuredClone(this.#birth), "id");
  }

  all(): JsonObject {
    const members = new MemoryStore(this.#state).peek();
    return Object.fromEntries(
      members.map((member) => [
        member.name,
        member.kind === "collection"
          ? member.records.map(({ value }) => value)
          : member.kind === "singleton"
            ? member.record.value
            : member.value,
      ]),
    );
  }
}

/** Even these few things are answered from indexes, which base and sandboxes share and part with. */
async function startIndexed() {
  const store = new MemoryStore(State.load(structuredClone(START), "id", { minIndexed: 1 }));
  const listening = await serveStore(store, { noConsole: true });
  const agent = new Agent({ keepAlive: true });
  return {
    ask(side: number, method: string, path: string, sent?: object): Promise<{ status: number; body: unknown }> {
      const url = `${listening.url}${side === 0 ? "" : `/__sandbox/s${side}`}${path}`;
      const headers = { ...(sent && { "Content-Type": "application/json" }) };
      return new Promise((resolve, reject) => {
        const asking = request(url, { agent, method, headers }, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (piece) => {
            text += piece;
          });
          response.on("end", () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
        });
        asking.on("error", reject).end(sent && JSON.stringify(sent));
      });
    },
    close: async () => {
      agent.destroy();
      await listening.close();
    },
  };
}

type Server = Awaited<ReturnType<typeof startIndexed>>;

function send(server: Server, side: number, one: SingleWrite) {
  switch (one.kind) {
    case "create":
      return server.ask(side, "POST", `/${one.collection}`, one.bodies[0]);
    case "replace":
      return server.ask(side, "PUT", `/${one.collection}/${one.id}`, one.body);
    case "patch":
      return server.ask(side, "PATCH", `/${one.collection}/${one.id}`, one.body);
    case "remove":
      return server.ask(side, "DELETE", `/${one.collection}/${one.id}`);
    case "patch-singleton":
      return server.ask(side, "PATCH", `/${one.name}`, one.body);
    default:
      throw new Error(`The test makes no write of the kind ${one.kind}.`);
  }
}

test("20 sandboxes and the base behave as 21 separate servers would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const server = await startIndexed();
      const base = new Model(START);
      const models = new Map<number, Model>([[0, base]]);
      // A sandbox is born from the base as it is when it is first used.
      const modelOf = (side: number): Model => {
        const known = models.get(side) ?? new Model(base.all());
        models.set(side, known);
        return known;
      };
      try {
        for (const one of steps) {
          const model = modelOf(one.side);
          if (one.kind === "write") {
            const { status } = await send(server, one.side, one.write);
            expectEqual(status, model.write(one.write));
          } else if (one.kind === "read") {
            const { body: found } = await server.ask(one.side, "GET", `/things?${one.query}`);
            expectEqual(found, await model.read(one.query));
          } else if (one.kind === "reset") {
            await server.ask(one.side, "POST", "/__reset");
            model.reset();
          } else if (one.side !== 0) {
            await server.ask(0, "DELETE", `/__sandboxes/s${one.side}`);
            models.delete(one.side);
          }
        }
        for (const [side, model] of models) {
          expectEqual((await server.ask(side, "GET", "/db")).body, model.all());
          for (const query of QUERIES) {
            expectEqual((await server.ask(side, "GET", `/things?${query}`)).body, await model.read(query));
          }
        }
      } finally {
        await server.close();
      }
    }),
    { numRuns: RUNS },
  );
  tellNumbers(`${RUNS} mixtures of steps in sandboxes and the base: each saw its own data alone.`);
});
