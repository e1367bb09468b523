/** The yardstick: node:http that sends one recorded response to every request and does nothing else. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Answer } from "./answer.ts";

const [port, file] = process.argv.slice(2);
const { status, headers, body } = JSON.parse(readFileSync(file!, "utf8")) as Answer;

createServer((_req, res) => {
  res.writeHead(status, [...headers]);
  res.end(body);
}).listen(Number(port), "127.0.0.1");
