import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { builtPackage } from "../support/build.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";

const KILLS = 4;

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

test("a killed custom server has every acknowledged write in its data file", { timeout: limit(120_000) }, async () => {
  const folder = createFolder({ "db.json": { users: [] }, "server.js": SERVER });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(builtPackage(), join(folder, "node_modules/standin"));
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const child = spawn(process.execPath, ["server.js"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const write = async (client: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const name = `${round}.${client}.${n}`;
        await askAt(`http://127.0.0.1:${port}`, `POST /${n % 3 === 0 ? "register" : "users"}`, { body: { name } });
        acknowledged.push(name);
        if (client === 0 && n === 5 + round * 3) child.kill("SIGKILL");
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
