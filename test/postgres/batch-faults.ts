import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import { type FaultsResult, numberedData, writeThroughFaults } from "../writes/through-faults.ts";
import { newSchema, sharedDatabase } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

const RECORDS = 30;

export interface DatabaseFaults {
  readonly kills: number;
  /** Spread evenly between the kills. */
  readonly restarts: number;
  readonly longestMs: number;
  readonly seed: number;
}

/**
 * Kills a server again and again, and restarts its database, while it writes many records at once. Without restarts the
 * database is the one of the test run.
 */
export async function writeManyThroughFaults(options: DatabaseFaults): Promise<FaultsResult> {
  const { kills, restarts, longestMs, seed } = options;
  const server = restarts > 0 ? await PostgresServer.create() : undefined;
  const url = server?.url ?? (await sharedDatabase());
  const schema = newSchema();
  const rounds = kills + restarts;
  const isRestart = (round: number): boolean =>
    Math.floor(((round + 1) * restarts) / rounds) > Math.floor((round * restarts) / rounds);
  let process: Process | undefined;
  let isDatabaseGone = false;
  try {
    await fill(url, schema);
    return await writeThroughFaults(
      {
        async interrupt(round) {
          isDatabaseGone = isRestart(round);
          if (isDatabaseGone) return server?.stop("immediate");
          await kill(process!);
          process = undefined;
        },
        async resume() {
          if (isDatabaseGone) await server?.start();
          process ??= await startProcess(url, schema);
          return process.url;
        },
      },
      { rounds, records: RECORDS, longestMs, seed },
    );
  } finally {
    process?.child.kill("SIGKILL");
    await server?.destroy();
  }
}

async function fill(url: string, schema: string): Promise<void> {
  const store = await openPostgres(url, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {}, poolSize: 2, schema });
  await store.data.replace(incomingMembers(numberedData(RECORDS)), true);
  await store.close();
}
