/** Every server that was stopped stayed in memory with its data: the timer that Node watches connections with went on. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";

const SERVERS = 10;
/** Some may be on their way out, or on the stack. */
const A_FEW = 2;

/** Something that the server holds on to for as long as it is there itself. */
async function partOfStopped(): Promise<WeakRef<object>> {
  const pass = (_req: unknown, _res: unknown, next: () => void): void => next();
  const api = await createStandin({ data: { notes: [{ id: 1 }] }, middlewares: [pass] });
  expect((await askAt(api.url, "GET /notes")).status).toBe(200);
  await api.close();
  return new WeakRef(pass);
}

test("a server that was stopped is let go of", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const parts: WeakRef<object>[] = [];
  for (let count = 0; count < SERVERS; count++) parts.push(await partOfStopped());
  const alive = async (): Promise<number> => {
    await nextTurn();
    collectGarbage();
    return parts.filter((part) => part.deref() !== undefined).length;
  };
  await expect.poll(alive).toBeLessThanOrEqual(A_FEW);
});
