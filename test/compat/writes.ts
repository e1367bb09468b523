import { stringify } from "node:querystring";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { randomRecord, randomValue } from "./datasets.ts";
import { type Question, question, withJson } from "./question.ts";
import type { Random } from "./random.ts";

const FORM = "application/x-www-form-urlencoded";

/** A question that changes something, about the database as it is now; one in ten is refused by either server. */
export function nextWrite(random: Random, data: JsonObject): Question {
  const collections = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const name = random.pick(collections);
  const body = randomBody(random, data, name);
  const kind = random.next();
  if (kind < 0.3) return sent(random, question("POST", `/${name}${oddEnd(random)}`), body);
  if (kind < 0.45) return sent(random, question("PUT", recordPath(random, data, name)), body);
  if (kind < 0.65) return sent(random, question("PATCH", recordPath(random, data, name)), body);
  if (kind < 0.8) return question("DELETE", recordPath(random, data, name));
  if (kind < 0.88)
    return sent(random, question("POST", `${recordPath(random, data, random.pick(collections))}/${name}`), body);
  if (kind < 0.96)
    return sent(random, question(random.pick(["POST", "PUT", "PATCH"]), `/profile${oddEnd(random)}`), body);
  const address = random.pick([
    "/nope",
    "/db",
    `/${name}`,
    "/profile/1",
    recordPath(random, data, name),
    "/companies/1/products/1",
  ]);
  return sent(random, question(random.pick(["POST", "PUT", "PATCH", "DELETE"]), address), body);
}

function oddEnd(random: Random): string {
  return random.chance(0.1) ? random.pick(["/", "?x=1", "?callback=f", "/?_delay=1"]) : "";
}

function recordPath(random: Random, data: JsonObject, name: string): string {
  const records = data[name] as Json[];
  const ids = records.flatMap((record) => (isJsonObject(record) && record.id != null ? [String(record.id)] : []));
  const id = ids.length > 0 && random.chance(0.85) ? random.pick(ids) : random.pick(["99", "nope", "01", "a b"]);
  return `/${name}/${encodeURIComponent(id)}`;
}

/** Random fields, often those that the collection has, perhaps with an id, perhaps with a key to some parent. */
function randomBody(random: Random, data: JsonObject, name: string): JsonObject {
  const like = random.pick((data[name] as Json[]).concat({}));
  const known = isJsonObject(like) ? Object.keys(like).filter((key) => key !== "id") : [];
  const entries: [string, Json][] = Object.entries(randomRecord(random));
  for (const key of known) if (random.chance(0.6)) entries.push([key, randomValue(random, 1)]);
  if (random.chance(0.3)) entries.push(["company_id", random.pick<Json>([1, 2, "1", 99, null])]);
  if (random.chance(0.35))
    entries.push(["id", random.pick<Json>([1, 7, 20, "new", "a b", "x/y", 0, "", null, -4, 3.5])]);
  if (random.chance(0.03)) entries.push(["id", random.pick<Json>([true, false, {}, [], 2 ** 60])]);
  return Object.fromEntries(random.chance(0.5) ? entries : entries.reverse());
}

/** The question with the body, mostly as JSON; sometimes as a form, by another method, or not at all. */
function sent(random: Random, asked: Question, body: JsonObject): Question {
  const way = random.next();
  if (way < 0.8) return withJson(asked, body);
  if (way < 0.86) {
    const form = stringify({ name: "a b", tags: ["1", "é"], price: 5, ...(random.chance(0.3) ? { id: "7" } : {}) });
    return { ...asked, headers: { "Content-Type": FORM }, body: form };
  }
  if (way < 0.9) return asked;
  if (way < 0.95 && asked.method !== "POST") {
    const posted = withJson({ ...asked, method: "POST" }, body);
    return { ...posted, headers: { ...posted.headers, "X-HTTP-Method-Override": asked.method } };
  }
  if (way < 0.97) return { ...withJson(asked, body), headers: { "Content-Type": random.pick(ODD_TYPES) } };
  return { ...asked, headers: { "Content-Type": "application/json" }, body: random.pick(ODD_BODIES) };
}

const ODD_TYPES = ["text/plain", "application/vnd.api+json", "application/json; charset=utf-8", FORM];
const ODD_BODIES = ["{", "5", '"text"', "null", "[]", "[1]", '[{"a":1},{"b":2}]', '{"__proto__":1}', "{}"];
