import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import jsonServer from "json-server";

const { create, router, defaults, bodyParser } = jsonServer;
const folder = dirname(fileURLToPath(import.meta.url));
const server = create();
const routes = router(join(folder, "letters.json"), { foreignKeySuffix: "_id" });

server.db = routes.db;
server.use(defaults({ logger: false, noCors: true, static: join(folder, "nowhere") }), bodyParser);
server.use((req, _res, next) => {
  if (req.method === "POST") req.body.stamped = true;
  next();
});
server.patch("/letters/:id/open", (req, res) => {
  const letter = req.app.db.get("letters").getById(req.params.id);
  if (letter.value() === undefined) return res.sendStatus(404);
  res.json(letter.assign({ isOpen: true }).write());
});
server.use(routes);
server.listen(4308, "localhost");
