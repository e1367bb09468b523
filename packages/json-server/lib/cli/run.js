const start = require("./start.js");

const VALUES = ["port", "host", "routes", "static", "snapshots", "delay", "id", "foreignKeySuffix"];
const SWITCHES = {
  watch: "--watch",
  readOnly: "--read-only",
  noCors: "--no-cors",
  noGzip: "--no-gzip",
  quiet: "--quiet",
};

/** Serves by the options that json-server's argument parser has made, for json-server-auth's command. */
module.exports = function run(argv) {
  const flags = [];
  for (const name of VALUES) {
    if (argv[name] !== undefined && argv[name] !== "") flags.push(`--${name}=${argv[name]}`);
  }
  for (const [name, flag] of Object.entries(SWITCHES)) if (argv[name]) flags.push(flag);
  for (const file of argv.middlewares ?? []) flags.push(`--middlewares=${file}`);
  start([String(argv._[0]), ...flags]);
};
