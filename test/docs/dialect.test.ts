import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LISTED_TOOLS } from "../../src/features/agents/tools.ts";
import { startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { loadPages } from "../support/pages.ts";

/*
 * Examples spell operators with a colon (`price:gte`). The suffixes of json-server (`price_gte`) work, but two spellings side
 * by side make readers look for a difference.
 */

/** Where a suffix is the subject. */
const ABOUT_SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  // Announces that they work, and which names documents give their parameters.
  "CHANGELOG.md": ["price_gte"],
  "docs/guide/querying.md": ["price_gte"],
  // The first is the name of a request, where no colon can stand.
  "docs/guide/requests.md": ["listProduct_price_gt", "price_gte"],
  "docs/migrate-from-json-server.md": ["city_like"],
  "docs/reference/binding.md": ["price_gte"],
  "docs/reference/query.md": ["price_gte"],
  // A rewrite rule of the service that this example stands in for.
  "examples/products-and-companies/README.md": ["name_like"],
};

function suffixesIn(text: string): string[] {
  return [...new Set(text.match(/\b[A-Za-z]\w*_(?:gte?|lte?|ne|like|contains|startsWith|endsWith)\b/g))];
}

test("suffixes are found, and names that only end like one are not", () => {
  expect(suffixesIn("/products?price_gte=1&name_like=x&price:lte=2&_sort=next_line")).toEqual([
    "price_gte",
    "name_like",
  ]);
});

test("pages spell operators with a colon, except where suffixes are the subject", () => {
  const found = loadPages().flatMap(({ path, text }) => {
    const suffixes = suffixesIn(text);
    return suffixes.length === 0 ? [] : [[path, suffixes] as const];
  });
  expect(Object.fromEntries(found)).toEqual(ABOUT_SUFFIXES);
});

test("/llms.txt and the tools of agents do, too", async () => {
  const { url } = await startApi({ data: catalog() });
  const guide = await (await fetch(`${url}/llms.txt`)).text();
  expect(suffixesIn(guide)).toEqual([]);
  expect(guide).toContain("price:gt");
  const texts = JSON.stringify(LISTED_TOOLS);
  expect(suffixesIn(texts)).toEqual([]);
  expect(texts).toContain("price:lt=10");
});

test("so do the moving picture and the placeholder of a path in the console", () => {
  for (const file of ["docs/pictures/first-minute.svg", "console/src/overview/rules-card.tsx"]) {
    expect([file, suffixesIn(readFileSync(file, "utf8"))]).toEqual([file, []]);
  }
});
