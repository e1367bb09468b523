import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AskOptions, askAt } from "../support/api.ts";
import { follow } from "../support/cli.ts";
import { createOriginalProject, createProject } from "../support/installed-project.ts";
import { listeningOf, TELLING, TOLD } from "../support/listening.ts";
import { IS_SOAK } from "../support/soak.ts";

/**
 * json-server-auth 2.1.0 as it is published, in the three ways people use it, on json-server 0.17.4 and on standin
 * installed under its name. Each pair gets the same requests in the same order.
 */
const data = {
  users: [],
  posts: [{ id: 1, title: "Hat", userId: 1 }],
  notes: [
    { id: 1, text: "mine", userId: 1 },
    { id: 2, text: "not mine", userId: 2 },
  ],
  open: [{ id: 1 }],
  fixed: [{ id: 1 }],
};
const GUARDS = { users: 600, notes: 640, posts: 660, open: 664, fixed: 444 };
const RULES = Object.fromEntries(Object.entries(GUARDS).map(([name, guard]) => [`/${name}*`, `/${guard}/${name}$1`]));

const SERVER = (database: string) => `const jsonServer = require("json-server");
const auth = require("json-server-auth");
const app = jsonServer.create();
const router = jsonServer.router("db.json");
${database}
app.use(auth.rewriter(${JSON.stringify(GUARDS)}));
app.use(auth);
app.use(router);
app.listen(0, "127.0.0.1");
`;

const files = {
  "db.json": data,
  "guards.json": GUARDS,
  "rules.json": RULES,
  "server.js": SERVER("app.db = router.db;"),
};

const AT = ["--host", "127.0.0.1", "--port", "0"];
const CHEAP_HASHES = resolve("test/support/cheap-hashes.cjs");
const JSON_SERVER = "node_modules/.bin/json-server";
const AUTH = "./node_modules/json-server-auth";
const WAYS: Readonly<Record<string, readonly string[]>> = {
  "as a middleware of the command": [JSON_SERVER, "db.json", "-m", AUTH, "-r", "rules.json", ...AT],
  "in a custom server": ["server.js"],
  "by its own command": ["node_modules/.bin/json-server-auth", "db.json", "-r", "guards.json", ...AT],
};

interface Request extends AskOptions {
  readonly line: string;
  /** Sent with the token that the first user was given. */
  readonly isLoggedIn?: boolean;
  /** The two differ in the body, on purpose. */
  readonly hasOwnBody?: boolean;
}

const ANN = { email: "ann@example.com", password: "not-a-real-one" };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const FORGED = "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImEifQ.q0sVvWJ7mBx3";

const REQUESTS: readonly Request[] = [
  { line: "POST /login", body: ANN },
  { line: "POST /register", body: { ...ANN, name: "Ann", age: 5 } },
  { line: "POST /register", body: ANN },
  { line: "POST /signup", body: { email: "bob@example.com", password: "also-not-real" } },
  { line: "POST /users", body: { email: "eve@example.com", password: "nor-this" } },
  { line: "POST /register", body: { email: "carl@example.com" } },
  { line: "POST /register", body: { email: "no address", password: "long-enough" } },
  { line: "POST /register", body: { email: "dora@example.com", password: "abc" } },
  { line: "POST /register", body: {} },
  { line: "POST /login", body: ANN },
  { line: "POST /signin", body: ANN },
  { line: "POST /login", body: { ...ANN, password: "wrong-one" } },
  { line: "POST /login", body: { email: 5, password: "long-enough" } },
  { line: "POST /login", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "email=x&password=y" },
  // 664: everyone reads, logged-in users write.
  { line: "GET /open" },
  { line: "POST /open", body: { a: 1 } },
  { line: "POST /open", body: { a: 1 }, isLoggedIn: true },
  { line: "PATCH /open/1", body: { a: 2 }, isLoggedIn: true },
  { line: "PUT /open/1", body: { a: 3 } },
  { line: "DELETE /open/1", isLoggedIn: true },
  { line: "GET /open?_sort=id&_order=desc" },
  // 660: only logged-in users.
  { line: "GET /posts" },
  { line: "GET /posts", headers: { Authorization: "Basic abc" } },
  { line: "GET /posts", headers: { Authorization: "Bearer" } },
  { line: "GET /posts", headers: bearer("nonsense") },
  { line: "GET /posts", headers: bearer(FORGED) },
  { line: "GET /posts", isLoggedIn: true },
  { line: "GET /posts/1", isLoggedIn: true },
  { line: "POST /posts", body: { title: "Cup" }, isLoggedIn: true },
  { line: "HEAD /posts" },
  // 640: the owner writes, logged-in users read.
  { line: "GET /notes/2", isLoggedIn: true },
  { line: "POST /notes", body: { text: "new" }, isLoggedIn: true },
  { line: "POST /notes", body: { text: "new", userId: 1 }, isLoggedIn: true },
  { line: "PATCH /notes/2", body: { text: "no" }, isLoggedIn: true },
  { line: "PATCH /notes/1", body: { text: "yes" }, isLoggedIn: true },
  { line: "PATCH /notes/3", body: { text: "yes" }, isLoggedIn: true },
  { line: "PUT /notes/1", body: { text: "put" }, isLoggedIn: true },
  { line: "PUT /notes/1", body: { text: "put", userId: 1 }, isLoggedIn: true },
  { line: "DELETE /notes/2", isLoggedIn: true },
  { line: "DELETE /notes/1", isLoggedIn: true },
  { line: "PATCH /notes/99", body: {}, isLoggedIn: true },
  // 600: the owner alone.
  { line: "GET /users" },
  { line: "GET /users/2", isLoggedIn: true },
  { line: "GET /users/1", isLoggedIn: true },
  { line: "PATCH /users/1", body: { age: 6 }, isLoggedIn: true },
  { line: "PATCH /users/1", body: { password: "a-changed-one" }, isLoggedIn: true },
  { line: "POST /login", body: ANN },
  { line: "POST /login", body: { ...ANN, password: "a-changed-one" } },
  // 444: read only. And guards in the path itself.
  { line: "GET /fixed" },
  { line: "POST /fixed", body: {}, isLoggedIn: true },
  { line: "DELETE /fixed/1", isLoggedIn: true },
  { line: "GET /600/notes/3" },
  { line: "GET /600/notes/3", isLoggedIn: true },
  { line: "GET /440/fixed", isLoggedIn: true },
  { line: "GET /posts/99", isLoggedIn: true, hasOwnBody: true },
];

interface Server {
  readonly url: string;
  token: string;
}

async function serve(project: string, command: readonly string[]): Promise<Server> {
  const { VITEST, NODE_OPTIONS, ...env } = process.env;
  const child = spawn(process.execPath, ["--require", CHEAP_HASHES, ...TELLING, ...command], {
    ...TOLD,
    cwd: project,
    env,
  });
  const { port } = await listeningOf(follow(child as ChildProcessWithoutNullStreams));
  return { url: `http://127.0.0.1:${port}`, token: "" };
}

for (const [name, command] of Object.entries(WAYS)) {
  // The others start the same middleware.
  if (name !== "as a middleware of the command" && !IS_SOAK) continue;
  describe(`json-server-auth ${name}`, () => {
    let theirs: Server;
    let ours: Server;
    beforeAll(async () => {
      const others = ["json-server-auth"];
      [theirs, ours] = await Promise.all([
        serve(createOriginalProject(files, others), command),
        serve(createProject(files, others), command),
      ]);
    });

    test.each(REQUESTS.map((request) => [nameOf(request), request] as const))("%s", async (_name, request) => {
      const [expected, given] = await Promise.all([ask(theirs, request), ask(ours, request)]);
      expect(given).toEqual(expected);
    });
  });
}

test("a custom server may bind the database to any name of its app, with defaults and a body parser before", async () => {
  const database = "server = app; server.db = router.db; app.use(jsonServer.defaults(), jsonServer.bodyParser);";
  const project = createProject({ ...files, "server.js": SERVER(database) }, ["json-server-auth"]);
  const server = await serve(project, ["server.js"]);
  expect(await ask(server, { line: "POST /register", body: ANN })).toMatchObject({ status: 201 });
  expect(await ask(server, { line: "GET /posts", isLoggedIn: true })).toMatchObject({ status: 200 });
});

async function ask(server: Server, { line, isLoggedIn, hasOwnBody, headers, ...options }: Request): Promise<object> {
  const token = isLoggedIn ? bearer(server.token) : {};
  const answer = await askAt(server.url, line, { ...options, headers: { ...headers, ...token } });
  const body = answer.body as { accessToken?: string } | string | undefined;
  if (typeof body === "object" && body?.accessToken && server.token === "") server.token = body.accessToken;
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    // 0.17.4 shows the guard in it (/664/open/2), standin the path that the client knows.
    location: answer.headers
      .get("location")
      ?.replace(server.url, "")
      .replace(/^\/[640]{3}\//, "/"),
    body: hasOwnBody ? undefined : withoutSecrets(body),
  };
}

/** Tokens and hashes differ from run to run. */
function withoutSecrets(body: unknown): unknown {
  if (typeof body === "string") return body;
  const text = JSON.stringify(body, (key, value: unknown) =>
    /^(accessToken|password)$/.test(key) ? typeof value : value,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function nameOf({ line, isLoggedIn, headers, body }: Request): string {
  const note = isLoggedIn ? " logged in" : headers ? ` ${JSON.stringify(headers)}` : "";
  return `${line}${note}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
}
