import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { limit } from "../support/limits.ts";
import { PostgresServer } from "./server.ts";

/**
 * One database server for a whole test run, started by the first test that needs it. Workers meet in a folder; the run
 * itself makes it before them, and ends the server after them.
 */
const FOLDER = "STANDIN_TEST_FOLDER";
const WAIT_MS = limit(60_000);

/** This server is never started again after a power cut, and its tables live too shortly to be tidied up. */
const SHORT_LIVED = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
  jit: "off",
};

interface Started {
  readonly url?: string;
  readonly pid?: number;
  readonly folder?: string;
  readonly problem?: string;
}

/** Called by vitest once, before all workers. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "standin-test-run-"));
  process.env[FOLDER] = folder;
  return async () => {
    const started = read(folder);
    if (started?.pid !== undefined) await end(started.pid);
    if (started?.folder !== undefined) rmSync(started.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Whether the server outlives this run, so that what tests leave there must be removed. */
export function isServerKept(): boolean {
  return Boolean(process.env.STANDIN_TEST_POSTGRES);
}

/** The address of the server of this run. Throws in words where there is none. */
export async function serverOfRun(): Promise<string> {
  const given = process.env.STANDIN_TEST_POSTGRES;
  if (given) return given;
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("The test run has no folder: is shared-server.ts a globalSetup of it?");
  try {
    mkdirSync(join(folder, "starting"));
    const started = await start();
    // Whole or not at all: others are looking.
    writeFileSync(join(folder, "server.part"), JSON.stringify(started));
    renameSync(join(folder, "server.part"), join(folder, "server.json"));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(50)) {
    const started = read(folder);
    if (started?.url !== undefined) return started.url;
    if (started) throw new Error(`No PostgreSQL to test with: ${started.problem}`);
  }
  throw new Error("PostgreSQL did not start in time.");
}

async function start(): Promise<Started> {
  try {
    const server = await PostgresServer.create(undefined, SHORT_LIVED);
    return { url: server.url, pid: server.pid, folder: server.folder };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function read(folder: string): Started | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "server.json"), "utf8")) as Started;
  } catch {
    return undefined;
  }
}

async function end(pid: number): Promise<void> {
  try {
    process.kill(pid, "SIGQUIT");
    for (let tries = 0; tries < 200; tries++) {
      process.kill(pid, 0);
      await sleep(20);
    }
  } catch {
    // It has ended.
  }
}
