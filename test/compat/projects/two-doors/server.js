const jsonServer = require("json-server");
const server = jsonServer.create();
const router = jsonServer.router({
  lamps: [
    { id: 1, watts: 5 },
    { id: 2, watts: 9 },
    { id: 3, watts: 7 },
  ],
  house: { floors: 2 },
});

server.get("/early", (req, res) => res.jsonp({ query: req.query }));
server.use("/api", router);
server.use(router);
// Too late for anything: the router has answered by now.
server.use(jsonServer.defaults());
server.get("/late", (_req, res) => res.jsonp({ reached: true }));

server.listen({ port: 4304 });
