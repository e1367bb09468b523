/**
 * Runs one command after another in a process that is already there: to start Node anew takes most of the time of a
 * command. Each gets arguments, folder and environment of its own, signals and output are those of this process. It has
 * ended when it says so, or when nothing of it would keep a process of its own alive. Marks in the outputs tell where a
 * server has started, and where a command has ended. A message tells where it listens. With STANDIN_TEST_ANY_PORT it gets
 * a free port in place of the one it wants.
 */
import module, { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
// It compiles in the folder in which it was loaded: that of a command is removed before the next one.
import "esbuild";

setFlagsFromString(process.env.STANDIN_TEST_V8_FLAGS ?? "");

const LISTENED = ["SIGINT", "SIGTERM", "SIGXFSZ", "uncaughtException", "unhandledRejection"];
/** How long what was closed may take to be gone, before this process is given up. */
const PATIENCE_MS = 200;
const exit = process.exit.bind(process);
let runs = 0;
const outputs = [process.stdout, process.stderr];
const { listen } = Server.prototype;

Server.prototype.listen = function (wanted, ...rest) {
  this.once("listening", () => process.send({ wanted, port: this.address().port }));
  return listen.call(this, process.env.STANDIN_TEST_ANY_PORT ? 0 : wanted, ...rest);
};

// tsx compiles in a thread that it registers for the first command in TypeScript, with an esbuild of its own.
const home = process.cwd();
const { register } = module;
module.register = (...args) => {
  const folder = process.cwd();
  process.chdir(home);
  try {
    return register(...args);
  } finally {
    process.chdir(folder);
  }
};
syncBuiltinESMExports();

process.on("disconnect", () => exit());

process.on("message", async ({ cli, args, folder, env, marks }) => {
  let code;
  process.exit = (given = process.exitCode ?? 0) => {
    code ??= given;
  };
  process.chdir(folder);
  process.env = { ...env };
  process.argv.splice(1, process.argv.length, cli, ...args);
  process.exitCode = undefined;
  // The bundle of the command stays loaded; what decides on the arguments is read again.
  await import(`${pathToFileURL(cli)}?run=${++runs}`);
  if (code === undefined && isKeptAlive()) process.stdout.write(marks.started);
  for (let pause = 1; code === undefined && isKeptAlive(); pause = Math.min(20, pause * 2)) await sleep(pause);
  code ??= process.exitCode ?? 0;
  process.exitCode = undefined;
  for (const name of LISTENED) process.removeAllListeners(name);
  // The last answer may still be on its way.
  for (const end = Date.now() + PATIENCE_MS; isKeptAlive() && Date.now() < end; ) await sleep(5);
  for (const stream of outputs) {
    stream.removeAllListeners("error");
    stream.write(marks.ended);
  }
  process.send({ code, isClean: !isKeptAlive() });
});

/** Pipes are the outputs, and the channel to the one who asks. */
function isKeptAlive() {
  return process.getActiveResourcesInfo().some((name) => name !== "PipeWrap");
}
