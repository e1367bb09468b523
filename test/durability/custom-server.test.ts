import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { askAt } from "../support/api.ts";
import { builtPackage } from "../support/build.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { IS_SOAK } from "../support/soak.ts";

const KILLS = IS_SOAK ? 8 : 2;

const SERVER = `
const fs = require("node:fs");
const jsonServer = require("standin/json-server");
const server = jsonServer.create();
const router = jsonServer.router("db.json");
server.use((req, res, next) => {
  router.db.assign(JSON.parse(fs.readFileSync("db.json", "utf8"))).write();
  next();
});
server.use(jsonServer.bodyParser);
server.post("/register", (req, res) => res.json(router.db.get("users").insert(req.body).write()));
server.use(router);
const listening = server.listen(0, "127.0.0.1", () => console.log(listening.address().port));
`;

interface Running {
  readonly url: string;
  kill(): void;
  readonly ended: Promise<unknown>;
}

function createProject(data: object): string {
  const folder = createFolder({ "db.json": data, "server.js": SERVER });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(builtPackage(), join(folder, "node_modules/standin"));
  return folder;
}

async function run(folder: string): Promise<Running> {
  const child = spawn(process.execPath, ["server.js"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const kill = (): void => void child.kill("SIGKILL");
  onTestFinished(kill);
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { url: `http://127.0.0.1:${port}`, kill, ended };
}

test("a killed custom server has every acknowledged write in its data file", { timeout: limit(120_000) }, async () => {
  const folder = createProject({ users: [] });
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const { url, kill, ended } = await run(folder);
    const write = async (client: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const name = `${round}.${client}.${n}`;
        await askAt(url, `POST /${n % 3 === 0 ? "register" : "users"}`, { body: { name } });
        acknowledged.push(name);
        if (client === 0 && n === 5 + round * 3) kill();
      }
    };
    await Promise.allSettled([write(0), write(1), write(2)]);
    await ended;
    const { users } = JSON.parse(readFileSync(join(folder, "db.json"), "utf8")) as { users: { name: string }[] };
    const names = new Set(users.map(({ name }) => name));
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect(names.size).toBe(users.length);
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS * 6);
  expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toEqual(["db.json"]);
});

test("a start after a kill saves a large file before a middleware can reload it", {
  timeout: limit(60_000),
}, async () => {
  const folder = createProject({ users: [], texts: [{ id: 1, text: "x".repeat(11_000_000) }] });
  const killed = await run(folder);
  // A handler responds before a large file is saved.
  await askAt(killed.url, "POST /register", { body: { name: "Ann" } });
  killed.kill();
  await killed.ended;
  const { url } = await run(folder);
  expect(await askAt(url, "GET /users")).toMatchObject({ body: [{ name: "Ann" }] });
});
