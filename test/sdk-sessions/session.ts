import { messageOf } from "../../src/base/errors.ts";

/** One step of a session, and why it failed. */
export interface StepResult {
  readonly name: string;
  readonly failure?: string;
}

/** Does a step and checks its value. Returns the value even if the check fails, so that later steps can go on with it. */
export type RunStep = <T>(
  name: string,
  work: () => Promise<T>,
  check?: (value: T) => void | Promise<void>,
) => Promise<T | undefined>;

/** A script of real work with one SDK. */
export interface SdkSession {
  readonly sdk: string;
  /** Name of the document it works with, without its ending. */
  readonly document: string;
  run(url: string, step: RunStep): Promise<void>;
}

const STEP_MS = 20_000;

export async function runSession(session: SdkSession, url: string): Promise<StepResult[]> {
  const results: StepResult[] = [];
  await session.run(url, async (name, work, check) => {
    let value: Awaited<ReturnType<typeof work>> | undefined;
    try {
      value = await inTime(work());
      await inTime(Promise.resolve(check?.(value)));
      results.push({ name });
    } catch (thrown) {
      results.push({ name, failure: messageOf(thrown).replaceAll(/\s+/g, " ").slice(0, 200) });
    }
    return value;
  });
  return results;
}

/** The result of an earlier step. */
export function made<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("an earlier step made nothing");
  return value;
}

/** Throws otherwise. Not by `assert.ok`, which reads the source for its message, and tsx has rewritten that. */
export function holds(condition: boolean, what = "its value is not as expected"): asserts condition {
  if (!condition) throw new Error(what);
}

/** The error that the work throws. */
export async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error(`nothing was thrown, but returned: ${JSON.stringify(value)?.slice(0, 100)}`);
}

/** Everything that comes, up to a number that no list of these sessions reaches. */
export async function collect<T>(pages: AsyncIterable<T>, most = 300): Promise<T[]> {
  const all: T[] = [];
  for await (const one of pages) {
    all.push(one);
    if (all.length > most) throw new Error(`the list does not end: more than ${most} came`);
  }
  return all;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${STEP_MS / 1000} s`)), STEP_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
