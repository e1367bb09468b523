import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** How long the thread waits for the next password before it ends. */
const IDLE_MS = 5000;

/** Runs in the thread: the library is plain JavaScript, which would block every request for as long as it computes. */
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const { compareSync } = require(workerData);
parentPort.on("message", ({ number, password, stored }) => {
  parentPort.postMessage({ number, isRight: compareSync(password, stored) });
});
`;

interface Waiting {
  resolve(isRight: boolean): void;
  reject(thrown: unknown): void;
}

let compare: ((password: string, stored: string) => Promise<boolean>) | undefined;

/** Compares a password with a bcrypt hash in a thread of its own, which is started on first use. */
export function compareInWorker(password: string, stored: string): Promise<boolean> {
  compare ??= startWorker(() => {
    compare = undefined;
  });
  return compare(password, stored);
}

function startWorker(onEnd: () => void): NonNullable<typeof compare> {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(SCRIPT, {
    eval: true,
    workerData: createRequire(import.meta.url).resolve("bcryptjs"),
    execArgv: [],
  });
  worker.unref();
  let count = 0;
  const end = (thrown: unknown): void => {
    onEnd();
    for (const { reject } of waiting.values()) reject(thrown);
    waiting.clear();
  };
  const idle = setTimeout(() => {
    if (waiting.size > 0) return;
    onEnd();
    void worker.terminate();
  }, IDLE_MS).unref();
  worker.on("message", ({ number, isRight }: { number: number; isRight: boolean }) => {
    waiting.get(number)?.resolve(isRight);
    waiting.delete(number);
    idle.refresh();
  });
  worker.on("error", end);
  worker.on("exit", () => end(new Error("The thread for passwords has ended.")));
  return (password, stored) =>
    new Promise((resolve, reject) => {
      const number = count++;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, password, stored });
    });
}
