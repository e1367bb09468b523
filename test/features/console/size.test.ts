import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtPackage } from "../../support/build.ts";

const FOLDER = join(builtPackage(), "dist/console");
const page = readFileSync(join(FOLDER, "index.html"), "utf8");

test("the first load is below 60 kB compressed", () => {
  const names = [...page.matchAll(/(?:src|href)="\/__console\/([^"]+)"/g)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThanOrEqual(3);
  const sizes = ["index.html", ...names].map((name) => gzipSync(readFileSync(join(FOLDER, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
});

test("nothing stands inline, and nothing comes from another host", () => {
  expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
  for (const name of readdirSync(join(FOLDER, "assets"))) {
    const text = readFileSync(join(FOLDER, "assets", name), "utf8");
    const addresses = text.match(/https?:\/\/[\w.-]+/g) ?? [];
    // The names of XML namespaces look like addresses.
    expect(addresses.filter((address) => !address.startsWith("http://www.w3.org"))).toEqual([]);
    expect(text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
  }
});
