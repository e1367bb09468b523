import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const views = readFileSync("console/src/shell/views.ts", "utf8");
const shell = readFileSync("console/src/shell/view.tsx", "utf8");
const icons = readFileSync("console/src/ui/icon.tsx", "utf8");
const guide = readFileSync("docs/guide/console.md", "utf8");
const pictures = readFileSync("scripts/pictures/picture-views.ts", "utf8");

const VIEWS = [...views.matchAll(/view: "(\w+)",\s+name: "([^"]+)",\s+icon: "(\w+)",\s+hash: "([^"]+)"/g)];

test("the table of views is read", () => {
  expect(VIEWS.length).toBeGreaterThan(6);
});

/** The places that the recipe of CONTRIBUTING.md names; the types hold its address. */
for (const [, view, name, icon, hash] of VIEWS) {
  test(`the view ${name} is loaded when it is opened, has an icon, a picture and a place in the guide`, () => {
    const [, component] = new RegExp(`case "${view}":\\s+return <(\\w+)`).exec(shell)!;
    const [, file] = new RegExp(`const ${component} = lazy\\([^;]*import\\("\\.\\./([\\w./-]+)"`).exec(shell)!;
    expect(existsSync(`console/src/${file}`)).toBe(true);
    expect(icons).toContain(`  ${icon}:`);
    expect(pictures).toContain(`"${hash}`);
    expect(guide.toLowerCase()).toContain(name!.toLowerCase());
  });
}
