import { test } from "vitest";
import { tellNumbers } from "../support/tell-numbers.ts";
import { expectValuesToSurvive } from "./values-survive-saves.ts";

test("after 1,000 saves of other records, none of 10,000 values has changed", async () => {
  await expectValuesToSurvive({ values: 10_000, saves: 1000 });
  tellNumbers("10,000 values, numbers beyond a double among them, are the same after 1,000 saves of other records");
});
