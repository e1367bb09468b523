/**
 * Runs one command after another in a process that is already there: to start Node anew takes most of the time of a
 * command that ends at once. Each gets arguments, folder and environment of its own, and leaves no listener behind. It has
 * ended when nothing of it would keep a process of its own alive.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const STREAMS = ["stdout", "stderr"];
const LISTENED = ["SIGINT", "SIGTERM", "SIGXFSZ", "uncaughtException", "unhandledRejection"];
const own = Object.fromEntries(STREAMS.map((name) => [name, process[name].write]));
let runs = 0;
/** Without a command: the channel to whoever asks. */
let idle;

process.on("message", async ({ cli, args, folder, env }) => {
  const output = { stdout: "", stderr: "" };
  idle ??= keepingAlive();
  for (const name of STREAMS) {
    process[name].write = (chunk, encoding, done) => {
      output[name] += chunk;
      const told = typeof encoding === "function" ? encoding : done;
      if (told) process.nextTick(told);
      return true;
    };
  }
  process.chdir(folder);
  process.env = { ...env };
  process.argv.splice(1, process.argv.length, cli, ...args);
  process.exitCode = undefined;
  // The bundle of the command stays loaded; what decides on the arguments is read again.
  await import(`${pathToFileURL(cli)}?run=${++runs}`);
  while (keepingAlive() > idle) await sleep(1);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  for (const name of STREAMS) {
    process[name].write = own[name];
    process[name].removeAllListeners("error");
  }
  for (const name of LISTENED) process.removeAllListeners(name);
  process.send({ code, output });
});
function keepingAlive() {
  return process.getActiveResourcesInfo().length;
}

process.on("disconnect", () => process.exit());
