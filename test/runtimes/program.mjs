/** Uses the package as a program does: `<runtime> program.mjs <folder of the package> <data file>`. Ends by itself. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [, , place, file] = argv;
const { createStandin } = await import(pathToFileURL(join(place, "dist/index.js")).href);

const api = await createStandin({
  source: file,
  persist: true,
  middlewares: [
    (_req, res, next) => {
      res.setHeader("X-Program", "yes");
      next();
    },
  ],
});
const json = { "content-type": "application/json" };
const created = await fetch(`${api.url}/posts`, { method: "POST", headers: json, body: '{"title":"by fetch"}' });
assert.equal(created.status, 201);
assert.equal(created.headers.get("x-program"), "yes");
const { id } = await created.json();
await api.db.posts.update(id, { title: "by program" });

const sandbox = api.sandbox("mine");
await sandbox.db.posts.remove(id);
const inside = await fetch(`${sandbox.url}/posts/${id}`);
assert.equal(inside.status, 404);
assert.equal((await (await fetch(`${api.url}/posts/${id}`)).json()).title, "by program");

await api.close();
assert.equal(JSON.parse(readFileSync(file, "utf8")).posts.find((post) => post.id === id).title, "by program");
await assert.rejects(fetch(api.url));
const jsonServer = (await import(pathToFileURL(join(place, "json-server/module.mjs")).href)).default;
const server = jsonServer.create();
server.use(jsonServer.defaults({ logger: false }));
server.get("/echo", (req, res) => res.jsonp(req.query));
server.use(jsonServer.rewriter({ "/api/*": "/$1" }));
server.use(jsonServer.router({ posts: [{ id: 1 }] }));
const listening = server.listen(0, "127.0.0.1");
await once(listening, "listening");
const url = `http://127.0.0.1:${listening.address().port}`;
assert.deepEqual(await (await fetch(`${url}/echo?a=1`)).json(), { a: "1" });
assert.deepEqual(await (await fetch(`${url}/api/posts`)).json(), [{ id: 1 }]);
listening.close();
listening.closeAllConnections();
console.log("program ok");
