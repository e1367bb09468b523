/** The yardstick of starting and of memory: the least a server of a JSON file must do. Plain JavaScript, as what is shipped. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const { products } = JSON.parse(readFileSync(file, "utf8"));

createServer((_req, res) => {
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.end(JSON.stringify(products[0]));
}).listen(Number(port), "127.0.0.1");
