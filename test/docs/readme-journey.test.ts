import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readmeJourney } from "./readme-journey.ts";

/** `npm run soak` follows the same steps in a real clone, see readme-journey.soak.test.ts. */
test("the README leads from a fresh clone to tests with sandboxes in at most 12 commands, and names each", () => {
  const { files, steps } = readmeJourney();
  expect(steps.map(({ command }) => command.replace(/ .*localhost:3000/, " ... "))).toEqual([
    "npm ci && npm start",
    "curl ... /products/1",
    'curl ... /products?name:contains=hat&_sort=price"',
    "curl ... /products/4",
    "npx playwright test",
  ]);
  expect(steps.length).toBeLessThanOrEqual(12);
  expect([...files.keys()]).toEqual(["shop.spec.ts", "playwright.config.ts"]);
});

test("everything that the files of the README import comes with npm ci", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { devDependencies: object };
  const imported = [...readmeJourney().files.values()].flatMap((text) =>
    [...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name),
  );
  expect(imported.length).toBeGreaterThan(0);
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(imported));
});
