const jsonServer = require("json-server");
const multer = require("multer");

const server = jsonServer.create();
const storage = multer.diskStorage({
  destination: (_req, _file, done) => done(null, __dirname),
  filename: (_req, file, done) => done(null, `kept-${file.originalname}`),
});
const upload = multer({ storage, limits: { fileSize: 40 } });

server.use(jsonServer.defaults({ logger: false, static: __dirname }));
server.use(jsonServer.bodyParser);
server.post("/paintings", upload.single("image"), (req, _res, next) => {
  if (req.file) req.body.image = req.file.filename;
  next();
});
server.post("/frames", upload.array("images", 2), (req, res) => {
  res.status(201).json({ ...req.body, names: req.files.map(({ originalname, size }) => [originalname, size]) });
});
server.use("/painters", upload.none());
server.use(jsonServer.router("db.json"));
server.use((error, _req, res, _next) => {
  res.status(400).json({ refused: error.code });
});
server.listen(process.env.PORT || 4310);
