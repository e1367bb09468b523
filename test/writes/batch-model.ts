import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { Random } from "../compat/random.ts";
import type { Place } from "./cases.ts";

interface Row extends JsonObject {
  id: number;
}

/** Two collections and a singleton, as plain values. */
interface Model {
  readonly notes: Row[];
  readonly tags: Row[];
  readonly profile: JsonObject;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: string;
}

type Name = "notes" | "tags";

/** Numbers that the next new record of a collection must be above: those removed in the same batch count, too. */
type Largest = Record<Name, number>;

class Refused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

export const MODEL_START = {
  notes: [
    { id: 1, n: 0 },
    { id: 3, n: 2, text: "t1" },
  ],
  tags: [],
  profile: {},
} satisfies JsonObject;

/** Sends random batches to a server that serves `MODEL_START`, and compares every response and the data with those of a model. */
export async function checkBatches(
  ask: Place["ask"],
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<void> {
  const random = new Random(seed);
  let model = readModel((await ask("GET /db")).body as JsonObject);
  for (let run = 0; run < runs; run++) {
    const requests = randomRequests(random);
    const place = `seed ${seed}, run ${run}: ${JSON.stringify(requests)}`;
    const next = structuredClone(model);
    const { status, body } = await ask("POST /__batch", { body: { requests } });
    const expected = applyAll(next, requests);
    if (expected instanceof Refused) {
      expect([status, (body as { failed?: number }).failed], place).toEqual([
        expected.status,
        Number(expected.message),
      ]);
    } else {
      expect(status, `${place} ${JSON.stringify(body)}`).toBe(200);
      expect(
        (body as { responses: { body: unknown }[] }).responses.map((one) => one.body),
        place,
      ).toEqual(expected);
      model = next;
    }
    expect(readModel((await ask("GET /db")).body as JsonObject), place).toEqual(model);
  }
}

function readModel({ notes, tags, profile }: JsonObject): Model {
  return { notes: notes as Row[], tags: tags as Row[], profile: profile as JsonObject };
}

function randomRequests(random: Random): Request[] {
  const named: string[] = [];
  return Array.from({ length: random.int(1, 8) }, (_, at) => {
    const collection = random.pick(["notes", "tags"] as const);
    const reference = named.length > 0 && random.chance(0.5) ? `{{${random.pick(named)}.id}}` : undefined;
    const id = reference ?? String(random.int(1, 6));
    const body = { n: reference ?? random.int(0, 3), text: `t${random.int(0, 2)}${reference ?? ""}` };
    const as = `r${at}`;
    switch (random.int(0, 8)) {
      case 0:
      case 1:
        named.push(as);
        return { method: "POST", path: `/${collection}`, body, as };
      case 2:
        return { method: "POST", path: `/${collection}`, body: { id: random.int(1, 9), ...body } };
      case 3:
        return { method: "PUT", path: `/${collection}/${id}`, body };
      case 4:
        return { method: "PATCH", path: `/${collection}/${id}`, body: { n: body.n } };
      case 5:
        return { method: "DELETE", path: `/${collection}/${id}` };
      case 6:
        return { method: "PATCH", path: `/${collection}?n:gte=${random.int(0, 3)}`, body: { seen: at } };
      case 7:
        return { method: "DELETE", path: `/${collection}?n:lt=${random.int(0, 1)}` };
      default:
        return { method: "PATCH", path: "/profile", body: { [`k${random.int(0, 2)}`]: body.n } };
    }
  });
}

/** The bodies of all responses, or the refusal of the first that fails: its message is the position. */
function applyAll(model: Model, requests: readonly Request[]): unknown[] | Refused {
  const responses = new Map<string, Row>();
  const largest: Largest = { notes: largestOf(model.notes), tags: largestOf(model.tags) };
  const bodies: unknown[] = [];
  for (const [at, request] of requests.entries()) {
    try {
      const body = applyOne(model, resolved(request, responses), largest);
      bodies.push(structuredClone(body));
      if (request.as !== undefined) responses.set(request.as, structuredClone(body) as Row);
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      return Object.assign(new Refused(thrown.status), { message: String(at) });
    }
  }
  return bodies;
}

function resolved(request: Request, responses: ReadonlyMap<string, Row>): Request {
  const idOf = (name: string): number => responses.get(name)!.id;
  const text = JSON.stringify(request)
    .replace(/"\{\{(\w+)\.id\}\}"/g, (_, name: string) => String(idOf(name)))
    .replace(/\{\{(\w+)\.id\}\}/g, (_, name: string) => String(idOf(name)));
  return JSON.parse(text) as Request;
}

function applyOne(model: Model, { method, path, body }: Request, largest: Largest): unknown {
  const [, name, id, condition] = /^\/(\w+)(?:\/(\d+)|\?(.*))?$/.exec(path) as unknown as [
    string,
    string,
    string?,
    string?,
  ];
  const given = body as JsonObject | undefined;
  if (name === "profile") return Object.assign(model.profile, given);
  const rows = model[name as Name];
  if (condition !== undefined) return applyToMatches(rows, method, { condition, given });
  if (method === "POST") return create(rows, given!, { largest, name: name as Name });
  const at = rows.findIndex((row) => row.id === Number(id));
  if (at === -1) throw new Refused(404);
  const row = rows[at]!;
  if (method === "DELETE") {
    rows.splice(at, 1);
    return {};
  }
  rows[at] = method === "PUT" ? { ...given, id: row.id } : { ...row, ...given };
  return rows[at];
}

function create(rows: Row[], given: JsonObject, { largest, name }: { largest: Largest; name: Name }): Row {
  const id = (given.id as number | undefined) ?? Math.max(largest[name], 0) + 1;
  if (rows.some((row) => row.id === id)) throw new Refused(409);
  largest[name] = Math.max(largest[name], id);
  rows.push({ ...given, id });
  return rows.at(-1)!;
}

function applyToMatches(
  rows: Row[],
  method: string,
  { condition, given }: { readonly condition: string; readonly given: JsonObject | undefined },
): unknown {
  const [, operator, value] = /^n:(gte|lt)=(\d+)$/.exec(condition) as unknown as [string, string, string];
  const isMatch = ({ n }: Row): boolean =>
    typeof n === "number" && (operator === "lt" ? n < Number(value) : n >= Number(value));
  const matches = rows.filter(isMatch);
  if (method === "PATCH") for (const row of matches) Object.assign(row, given);
  else for (const row of matches) rows.splice(rows.indexOf(row), 1);
  return { count: matches.length, ids: matches.map(({ id }) => id) };
}

function largestOf(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(({ id }) => id));
}
