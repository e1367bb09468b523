import { test } from "vitest";
import { expectValuesToSurvive } from "./values-survive-saves.ts";

test("after 10 saves of other records, none of 500 values has changed", async () => {
  await expectValuesToSurvive({ values: 500, saves: 10 });
});
