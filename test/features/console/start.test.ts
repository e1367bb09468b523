import { expect, test } from "vitest";
import { readDatabase } from "../../../console/src/overview/start/read-database.ts";
import { type SampleTemplate, sampleData } from "../../../console/src/overview/start/sample-data.ts";
import { TEMPLATES } from "../../../console/src/overview/start/templates.ts";
import { seededRandom } from "../../../console/src/ui/seeded-random.ts";
import { freshData } from "../../../src/commands/fresh-data.ts";
import { startApi } from "../../support/api.ts";

test.each(Object.keys(TEMPLATES) as SampleTemplate[])(
  "sample data for %s is related, and every reference leads somewhere",
  async (template) => {
    const { suffix } = TEMPLATES[template];
    const now = Date.parse("2030-06-01T12:00:00Z");
    const make = () => sampleData({ template, count: 30, idKey: "id", suffix, now, random: seededRandom(1) });
    const members = make();
    // The latest dates are around now, whenever that is.
    expect(JSON.stringify(members)).toMatch(/"2030-0(6-01|5-(2|3))/);
    expect(JSON.stringify(members)).not.toMatch(/"202[67]/);
    expect(make()).toEqual(members);
    expect(members.map(({ name }) => name).join(", ")).toBe(TEMPLATES[template].collections);
    const data = Object.fromEntries(
      members.map((member) => [member.name, member.kind === "collection" ? [...member.records] : {}]),
    );
    const { ask } = await startApi({ data });
    const { relations } = (await ask("GET /__overview")).body as {
      relations: { from: string; field: string; to: string }[];
    };
    expect(relations.length).toBeGreaterThanOrEqual(2);
    for (const { from, field, to } of relations) {
      for (const record of data[from] as { [field: string]: number }[]) {
        expect(record[field]).toBeLessThanOrEqual((data[to] as unknown[]).length);
      }
    }
  },
);

test("the shop of the start page is that of --sample shop", async () => {
  const clock = "2031-05-01T12:00:00Z";
  const { amount, pieces } = await freshData({ sample: "shop", clock });
  const shop = { template: "shop", count: 120, idKey: "id", suffix: TEMPLATES.shop.suffix } as const;
  const members = sampleData({ ...shop, now: Date.parse(clock), random: seededRandom(16) });
  expect(JSON.parse([...pieces].join(""))).toEqual(
    Object.fromEntries(members.map(({ name, records }) => [name, records])),
  );
  expect(amount).toBe("a shop with 60 products and 120 orders");
});

const FILES: readonly (readonly [name: string, text: string, found: unknown])[] = [
  [
    "db.json",
    '{ "$schema": "x", "products": [{ "id": 1 }], "settings": { "theme": "plain" } }',
    [
      { name: "products", kind: "collection", records: [{ id: 1 }] },
      { name: "settings", kind: "singleton", value: { theme: "plain" } },
    ],
  ],
  ["Order lines (2).json", '[{ "id": 1 }]', [{ name: "order_lines_2", kind: "collection", records: [{ id: 1 }] }]],
  ["settings.json", '{ "theme": "plain" }', [{ name: "settings", kind: "singleton", value: { theme: "plain" } }]],
  ["tags.json", '{ "tags": ["a", "b"] }', "tags is neither a list of records nor an object."],
  [
    "people.csv",
    "id,name,isMember\n1,Ada,true\n2,Alan,false\n",
    [
      {
        name: "people",
        kind: "collection",
        records: [
          { id: 1, name: "Ada", isMember: true },
          { id: 2, name: "Alan", isMember: false },
        ],
      },
    ],
  ],
  ["lines.json", '{ "id": 1 }\n{ "id": 2 }', [{ name: "lines", kind: "collection", records: [{ id: 1 }, { id: 2 }] }]],
  ["short.csv", "id,name\n1\n", "Line 2: There is 1 cell; the first line has 2."],
  ["empty.csv", "", "There is nothing in it."],
  ["broken.json", "[", expect.stringContaining("This is not valid JSON: ")],
];

test.each(FILES)("%s with %s", (name, text, found) => {
  const read = readDatabase(text, name);
  expect(read.kind === "members" ? read.members : read.message).toEqual(found);
});
