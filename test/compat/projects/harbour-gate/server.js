const path = require("node:path");
const jsonServer = require("json-server");
const rules = require("./rules.json");

const server = jsonServer.create();
const router = jsonServer.router(path.join(__dirname, "db.json"));

server.use(jsonServer.defaults());
server.use(jsonServer.bodyParser);
server.use(jsonServer.rewriter(rules));
server.use((req, res, next) => {
  if (req.url !== "/gate-pass" || req.method !== "POST") return next();
  const skipper = router.db.get("skippers").find({ badge: req.body.badge }).value();
  if (!skipper) return res.status(401).jsonp({ open: false });
  res.jsonp({ open: true, holder: skipper.name, asked: req.query });
});
server.use(router);
server.listen(4300, () => {
  console.log("The gate is at 4300");
});
