const jsonServer = require("json-server");
const entry = require("./controllers/entry");

const app = jsonServer.create();
const router = jsonServer.router(require("./songs.json"));

router.render = (req, res) => {
  const total = res.get("X-Total-Count");
  res.jsonp({ data: res.locals.data, ...(total && { meta: { total: Number(total), path: req.path } }) });
};

app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.bodyParser);
app.post("/api/entry", entry(router.db));
app.use("/api", router);
app.use((req, res) => {
  res.status(404).send(`nothing at ${req.originalUrl}`);
});
app.listen(process.env.PORT || 4301);
