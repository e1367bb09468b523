import { expect, test } from "vitest";
import { readDatabase } from "../../../console/src/overview/start/read-database.ts";
import { sampleData, TEMPLATES, type Template } from "../../../console/src/overview/start/sample-data.ts";
import { startApi } from "../../support/api.ts";

test.each(Object.keys(TEMPLATES) as Template[])(
  "sample data for %s is related, and every reference leads somewhere",
  async (template) => {
    const options = { template, count: 30, idKey: "id", suffix: "Id", now: Date.parse("2030-06-01T12:00:00Z") };
    const members = sampleData(options);
    // The latest dates are around now, whenever that is.
    expect(JSON.stringify(members)).toContain('"2030-06-01');
    expect(JSON.stringify(members)).not.toContain('"2026');
    expect(sampleData(options)).toEqual(members);
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
