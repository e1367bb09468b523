import { test } from "vitest";
import { Oracle } from "../features/history/oracle.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { serveOracle } from "./history-oracle.ts";

test("the past of random changes on PostgreSQL is as fresh servers show it, and reverts are naive merges", async () => {
  const oracle = new Oracle({ seed: 38, changes: 1500, reads: 300, reverts: 20, open: serveOracle });
  await oracle.run();
  const { changes, reverts, conflicts, reads } = oracle.done;
  tellNumbers(`${changes} changes, ${reverts} reverts, ${conflicts} conflicts, ${reads} reads in the past`);
});
