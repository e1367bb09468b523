/**
 * Runs one command line of json-server 0.17.4 after another in one process, each beside those before: to load json-server
 * takes most of the time of a start. Paths in them are absolute. A message tells the port of each.
 */
import { createRequire } from "node:module";
import { Server } from "node:net";

const require = createRequire(import.meta.url);
const BIN = require.resolve("json-server/lib/cli/bin.js");
/** The module that reads the arguments when it is loaded. */
const READS_ARGUMENTS = /[\\/](?:yargs|yargs-parser|json-server[\\/]lib[\\/]cli)[\\/]/;
const { listen } = Server.prototype;

Server.prototype.listen = function (...args) {
  this.once("listening", () => process.send({ port: this.address().port }));
  return listen.apply(this, args);
};

process.on("message", ({ args, folder }) => {
  for (const path of Object.keys(require.cache)) if (READS_ARGUMENTS.test(path)) delete require.cache[path];
  process.chdir(folder);
  process.argv.splice(1, process.argv.length, BIN, ...args);
  require(BIN);
});
process.on("disconnect", () => process.exit());
