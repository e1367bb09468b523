import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtFolder } from "../../support/built-folder.ts";

const files = builtFolder("console");
const page = files.get("index.html")!;

const assets = [...files.keys()].filter((name) => name.startsWith("assets/"));

test.each(["overview-view", "member-view"])("the first load of the %s is below 90 kB compressed", (view) => {
  const named = [...page.matchAll(/(?:src|href)="\/__console\/([^"]+)"/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThanOrEqual(3);
  const chunks = assets.filter((name) => name.startsWith(`assets/${view}-`));
  expect(chunks).not.toEqual([]);
  const names = withImports(["index.html", ...named, ...chunks]);
  const sizes = [...names].map((name) => gzipSync(files.get(name)!).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(90_000);
});

/** The files and all that they import at once. */
function withImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    if (!name.endsWith(".js")) continue;
    const text = files.get(name)!;
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
    const text = files.get(name)!;
    const addresses = text.match(/https?:\/\/[\w.-]+/g) ?? [];
    // The names of XML namespaces look like addresses; the editor is a link that people may follow.
    const known = ["http://www.w3.org", "https://editor.swagger.io"];
    expect(addresses.filter((address) => !known.includes(address))).toEqual([]);
    expect(text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
  }
});
