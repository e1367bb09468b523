import { asFile, crash } from "../durability/place.ts";
import { createFolder, type Served, serveCli } from "../support/cli.ts";
import { type FaultsResult, numberedData, writeThroughFaults } from "./through-faults.ts";

const RECORDS = 200;
const LONGEST_MS = 60;

/** Kills a server on a data file, or on a folder of them, again and again while it writes many records at once. */
export async function killWhileWritingMany(
  source: "db.json" | "data",
  rounds: number,
  seed: number,
): Promise<FaultsResult> {
  const data = numberedData(RECORDS);
  const inFolder = Object.entries(data).map(([name, value]) => [`data/${name}.json`, asFile(value)]);
  const folder = createFolder(source === "data" ? Object.fromEntries(inFolder) : { "db.json": asFile(data) });
  let server: Served | undefined;
  const result = await writeThroughFaults(
    {
      interrupt: () => crash(server!),
      async resume() {
        server = await serveCli([source], folder);
        return server.url;
      },
    },
    { rounds, records: RECORDS, longestMs: LONGEST_MS, seed },
  );
  await server!.stop();
  return result;
}
