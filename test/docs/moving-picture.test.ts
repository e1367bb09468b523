import { readFileSync, realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { recordScene } from "../../scripts/pictures/moving-picture-scene.ts";
import { drawScene } from "../../scripts/pictures/moving-picture-svg.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const picture = readFileSync("docs/pictures/first-minute.svg", "utf8");

test("the moving picture of the README shows what the command prints, and the change it makes to the file", async () => {
  const folder = realpathSync(createFolder());
  const { url, output, stop } = await serveKept(["db.json"], folder);
  const scene = await recordScene({ url, folder, printed: () => output.stdout });
  await stop();
  expect(scene.banner.join("\n")).toContain("standin is serving at http://localhost:3000");
  expect(scene.difference).toContain('+       "price": 199.5,');
  expect(picture, "run npm run pictures").toBe(drawScene(scene));
});

test("the picture is well formed and small", () => {
  expect(unclosedTags(picture)).toEqual([]);
  expect(picture.replace(/<[^<>]*>|&(amp|lt);/g, "")).not.toMatch(/[<>&]/);
  expect(picture.length).toBeLessThan(60_000);
});

test("the picture runs no script, loads nothing and respects a wish for less motion", () => {
  expect(picture).not.toMatch(/<script|<foreignObject|<image|<use|\son\w+=|href|url\(|@import/i);
  const [before, ...moving] = picture.split("@media (prefers-reduced-motion:no-preference)");
  expect(before).not.toMatch(/animation-name|@keyframes/);
  expect(moving).toHaveLength(1);
});

/** Names of elements that are left open, or closed where another one is. */
function unclosedTags(svg: string): string[] {
  const open: string[] = [];
  for (const [, end, name, alone] of svg.matchAll(/<(\/?)(\w+)(?:\s[\w:-]+="[^"<]*")*(\/?)>/g)) {
    if (end && open.at(-1) === name) open.pop();
    else if (!alone) open.push(`${end}${name}`);
  }
  return open;
}
