/**
 * Measures the CPU time of a request with rules of access against the same request without: two servers with the same data
 * and the same signed-in user, asked in turn. Run it by `npx tsx bench/access-costs.ts [rounds]`; it fails if GET of one
 * record costs more than the limit.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createStandin } from "../src/index.ts";
import { Client } from "./client.ts";
import { median } from "./statistics.ts";

const LIMIT = 1.15;
const RECORDS = 10_000;
const USERS = 100;
const REQUESTS = 8000;
const CONNECTIONS = 16;
const KINDS: Readonly<Record<string, (at: number) => string>> = {
  "GET one": (at) => `/orders/${1 + USERS * (at % (RECORDS / USERS))}`,
  page: (at) => `/orders?_page=${1 + (at % 5)}&_limit=20`,
};

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
}

async function serve(hasAccess: boolean): Promise<void> {
  const user = (at: number) => ({ id: at + 1, email: `user${at + 1}@shop.test` });
  const order = (at: number) => ({ id: at + 1, user_id: (at % USERS) + 1, item: `Hat ${at}`, price: at % 97 });
  const signIn = {
    users: "users",
    name: "email",
    algorithm: "ES256",
    accessSeconds: 86_400,
    clients: [{ id: "bench" }],
  };
  const api = await createStandin({
    data: {
      users: Array.from({ length: USERS }, (_, at) => user(at)),
      orders: Array.from({ length: RECORDS }, (_, at) => order(at)),
    },
    middlewares: ["sign-in"],
    layers: { "sign-in": signIn },
    traffic: 0,
    ...(hasAccess && { access: { orders: { owner: "user_id", read: "owner", write: "owner" } } }),
  });
  process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port: api.port, token: await api.tokenFor("user1@shop.test") });
}

async function start(hasAccess: boolean): Promise<Served> {
  const child = fork(fileURLToPath(import.meta.url), [hasAccess ? "with" : "without"]);
  const [told] = (await once(child, "message")) as [Omit<Served, "child">];
  return { child, ...told };
}

async function cpuMicroseconds({ child }: Served): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = (await once(child, "message")) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
}

/** Microseconds of the server's CPU for one request. */
async function cost(served: Served, path: (at: number) => string): Promise<number> {
  let sent = 0;
  const nextRequest = (): Buffer | undefined =>
    sent < REQUESTS
      ? Buffer.from(`GET ${path(sent++)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${served.token}\r\n\r\n`)
      : undefined;
  const before = await cpuMicroseconds(served);
  const conversation = { nextRequest, onAnswer: () => {} };
  const clients = Array.from({ length: CONNECTIONS }, () => new Client("localhost", served.port, conversation));
  await Promise.all(clients.map(({ done }) => done));
  return ((await cpuMicroseconds(served)) - before) / REQUESTS;
}

async function measure(rounds: number): Promise<void> {
  const [without, guarded] = [await start(false), await start(true)];
  for (const [name, path] of Object.entries(KINDS)) {
    const pairs: (readonly [number, number])[] = [];
    // The first round only warms up.
    for (let round = -1; round < rounds; round++) {
      const pair = [await cost(without, path), await cost(guarded, path)] as const;
      if (round >= 0) pairs.push(pair);
    }
    const [before, after] = [0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0)).toFixed(1));
    const ratio = median(pairs.map(([one, other]) => other / one));
    console.log(
      `${name}: ${before} µs without access, ${after} µs with it; ratio ${ratio.toFixed(3)} (limit ${LIMIT})`,
    );
    if (name === "GET one" && ratio > LIMIT) process.exitCode = 1;
  }
  for (const { child } of [without, guarded]) child.kill();
}

const [role = "9"] = process.argv.slice(2);
if (role === "with" || role === "without") await serve(role === "with");
else await measure(Number(role));
