const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");

/** Runs the command line of standin in this process. */
module.exports = function start(args) {
  process.argv.splice(2, process.argv.length, ...args);
  const folder = dirname(require.resolve("standin/package.json"));
  return import(pathToFileURL(join(folder, "dist/cli.js")).href);
};
