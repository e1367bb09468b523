import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtPackage } from "../../support/build.ts";

const FOLDER = join(builtPackage(), "dist/console");
const page = readFileSync(join(FOLDER, "index.html"), "utf8");

const assets = readdirSync(join(FOLDER, "assets"));

test.each(["overview-view", "member-view"])("the first load of the %s is below 90 kB compressed", (view) => {
  const named = [...page.matchAll(/(?:src|href)="\/__console\/([^"]+)"/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThanOrEqual(3);
  const chunks = assets.filter((name) => name.startsWith(`${view}-`)).map((name) => `assets/${name}`);
  expect(chunks).not.toEqual([]);
  const names = withImports(["index.html", ...named, ...chunks]);
  const sizes = [...names].map((name) => gzipSync(readFileSync(join(FOLDER, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(90_000);
});

/** The files and all that they import at once. */
function withImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(FOLDER, name), "utf8");
    const imported = [...text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)];
    withImports(
      imported.map(([, file]) => `assets/${file}`),
      found,
    );
  }
  return found;
}

test("nothing stands inline, and nothing comes from another host", () => {
  expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
  for (const name of assets) {
    const text = readFileSync(join(FOLDER, "assets", name), "utf8");
    const addresses = text.match(/https?:\/\/[\w.-]+/g) ?? [];
    // The names of XML namespaces look like addresses; the editor is a link that people may follow.
    const known = ["http://www.w3.org", "https://editor.swagger.io"];
    expect(addresses.filter((address) => !known.includes(address))).toEqual([]);
    expect(text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
  }
});
