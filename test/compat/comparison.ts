import type { JsonObject } from "../../src/base/json/json.ts";
import { type Answer, isSame, reduceError } from "./answer.ts";
import { ask } from "./ask.ts";
import { DIFFERENCES, type Difference } from "./differences.ts";
import { type Next, restated, type World } from "./expectation.ts";
import { addressOf, firstOf, get, type Question, withoutParameters } from "./question.ts";

/** One of the two servers. */
export interface Server {
  readonly port: number;
}

/** json-server, which can be put back to any database. */
export interface ResettableServer extends Server {
  serve(data: JsonObject): Promise<unknown>;
}

/** How often what was seen, over the whole run. */
export class Tally {
  requests = 0;
  readonly differences = new Map<string, number>();

  count(names: readonly string[]): void {
    for (const name of names) this.differences.set(name, (this.differences.get(name) ?? 0) + 1);
  }
}

/** Asks both servers the same questions and finds what nothing explains. */
export class Comparison {
  readonly #theirs: ResettableServer;
  readonly #ours: Server;
  readonly #tally: Tally;
  #data: JsonObject;

  /** Both servers must be serving `data`. */
  constructor(theirs: ResettableServer, ours: Server, data: JsonObject, tally: Tally) {
    this.#theirs = theirs;
    this.#ours = ours;
    this.#data = data;
    this.#tally = tally;
  }

  /** The database as it is now, in both. */
  get data(): JsonObject {
    return this.#data;
  }

  /** Compares the answers to a question that changes nothing. Gives back what is wrong, in words for a person. */
  async read(asked: Question): Promise<string[]> {
    const [theirs, ours] = await Promise.all([ask(this.#theirs.port, asked), ask(this.#ours.port, asked)]);
    const world: World = { data: this.#data, ours: reduceError(ours), isWrite: false };
    return this.#judge(asked, theirs, world, (meant) => ask(this.#theirs.port, meant));
  }

  /** Compares the answers to a question that may change something, and the databases after it. One at a time. */
  async write(asked: Question): Promise<string[]> {
    const before = this.#data;
    const [theirs, ours] = await Promise.all([askAndLook(this.#theirs, asked), askAndLook(this.#ours, asked)]);
    const world: World = { data: before, ours: reduceError(ours), isWrite: true };
    const problems = await this.#judge(asked, theirs, world, async (meant) => {
      await this.#theirs.serve(before);
      return askAndLook(this.#theirs, meant);
    });
    this.#data = ours.db as JsonObject;
    // An explained difference parts the two; the next question finds them at one again.
    if (!isSame(theirs, ours)) await this.#theirs.serve(this.#data);
    return problems;
  }

  async #judge(asked: Question, theirs: Answer, world: World, askAgain: Next): Promise<string[]> {
    this.#tally.requests++;
    if (isSame(theirs, world.ours)) return [];
    const used: string[] = [];
    const expected = await expectedAnswer(asked, world, askAgain, used);
    if (!isSame(expected, world.ours)) return [describe(asked, theirs, world.ours, expected, used)];
    this.#tally.count(used);
    return [];
  }
}

async function askAndLook({ port }: Server, asked: Question): Promise<Answer> {
  const answer = await ask(port, asked);
  const { json } = await ask(port, get("/db"));
  return { ...answer, db: json as JsonObject };
}

/** The required response of standin. HEAD, JSONP and an overridden method are forms of a plain request, applied after it. */
async function expectedAnswer(asked: Question, world: World, askAgain: Next, used: string[]): Promise<Answer> {
  const override = asked.method === "POST" ? asked.headers?.["X-HTTP-Method-Override"] : undefined;
  if (override !== undefined) {
    const { "X-HTTP-Method-Override": _override, ...headers } = asked.headers ?? {};
    return expectedAnswer({ ...asked, method: override.toUpperCase(), headers }, world, askAgain, used);
  }
  if (asked.method === "HEAD") {
    // With its body gone our own answer can tell no code, so what the same GET tells is believed.
    const answer = await expectedAnswer({ ...asked, method: "GET" }, world, askAgain, used);
    return { ...answer, callback: undefined, json: undefined };
  }
  const callback = firstOf(asked, "callback").replace(/[^[\]\w$.]/g, "");
  if (callback !== "") {
    const plain = await restated(asked, withoutParameters(asked, "callback"), (meant) =>
      expectedAnswer(meant, world, askAgain, used),
    );
    // Any page can load a script, so the routes that begin with /__ send none.
    return asked.path.startsWith("/__") ? plain : { ...plain, type: "text/javascript", callback };
  }
  return explained(asked, DIFFERENCES, world, askAgain, used);
}

/** Goes down the list; the first entry that the question concerns answers it, with the rest of the list to ask. */
async function explained(
  asked: Question,
  differences: readonly Difference[],
  world: World,
  askAgain: Next,
  used: string[],
): Promise<Answer> {
  for (const [position, difference] of differences.entries()) {
    let unchanged: Answer | undefined;
    const answer = await difference.explain(asked, world, async (meant) => {
      const answer = await explained(meant, differences.slice(position + 1), world, askAgain, used);
      if (meant === asked) unchanged = answer;
      return answer;
    });
    if (answer === undefined) continue;
    if (answer !== unchanged) used.push(difference.name);
    return answer;
  }
  return askAgain(asked);
}

const SHOWN = 1500;

function describe(asked: Question, theirs: Answer, ours: Answer, expected: Answer, used: readonly string[]): string {
  const lines = [
    `${asked.method} ${addressOf(asked)}`,
    ...Object.entries(asked.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(asked.body === undefined ? [] : [asked.body]),
    `  json-server: ${show(theirs)}`,
    `  standin:     ${show(ours)}`,
  ];
  if (used.length > 0) lines.push(`  expected:    ${show(expected)}`, `  because of:  ${used.join("; ")}`);
  return lines.join("\n");
}

function show(answer: Answer): string {
  const text = JSON.stringify(answer);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text;
}
