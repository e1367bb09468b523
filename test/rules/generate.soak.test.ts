import { expect, test } from "vitest";
import { findingsIn, type Records, rejectedIn, textFor } from "../support/generated-data.ts";
import { randomRules } from "../support/random-rules.ts";

test("generated data pass their rules, for 500 generated rule files", async () => {
  for (let seed = 1001; seed <= 1500; seed++) {
    const rules = randomRules(seed);
    const database = JSON.parse(await textFor(rules, 25, seed)) as Records;
    expect(await findingsIn(database, rules), `seed ${seed}`).toEqual([]);
    expect(rejectedIn(database, rules), `seed ${seed}`).toEqual([]);
  }
});
