/**
 * A process full of json-servers 0.17.4, each put together as its command line does with `--foreignKeySuffix _id
 * --quiet`. A message names a server and the database it shall serve from now on, which has the members of the one
 * before; the answer is the server's port. Without a database, the server shall stop.
 */
import { createRequire } from "node:module";

const jsonServer = createRequire(import.meta.url)("json-server");
const running = new Map();

// It prints the stack of every 500 it answers, and 500s are part of what it is asked for.
console.error = () => {};

process.on("message", async ({ server, data }) => {
  const known = running.get(server);
  if (!data) {
    known?.http.close();
    known?.http.closeAllConnections();
    running.delete(server);
    return;
  }
  // A new router would take ten times as long; the routes of this one fit, since the names are the same.
  known?.router.db.setState(data);
  const { port } = known ?? (await start(server, data));
  process.send({ server, port });
});
process.on("disconnect", () => process.exit());

function start(server, data) {
  const app = jsonServer.create();
  const router = jsonServer.router(data, { foreignKeySuffix: "_id" });
  app.use(jsonServer.defaults({ logger: false, bodyParser: true }));
  app.use(router);
  return new Promise((resolve) => {
    const http = app.listen(0, "127.0.0.1", () => {
      http.keepAliveTimeout = 0;
      const { port } = http.address();
      running.set(server, { port, router, http });
      resolve({ port });
    });
  });
}
