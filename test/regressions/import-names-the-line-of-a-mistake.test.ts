import { join } from "node:path";
import { expect, test } from "vitest";
import { readMembers } from "../../src/store/postgres/load/read-members.ts";
import { createFolder } from "../support/cli.ts";

async function readAll(text: string): Promise<void> {
  const file = join(createFolder({ "db.json": text }), "db.json");
  for await (const member of readMembers(file)) {
    if (member.kind === "collection") for await (const _value of member.values);
  }
}

/** Longer than one piece of a file that is read, in many lines and in one. */
const MANY_LINES = `${'    { "id": 1, "name": "Ä" },\n'.repeat(12_000)}`;
const ONE_LINE = '{"id":1,"name":"Ä"},'.repeat(15_000);

const mistakes = [
  ['{\n  "a": [\n    { "id": 1 }\n    { "id": 2 }\n  ]\n}', 'line 4, column 5: expected "," or "]" but found'],
  ['{\n  "a": [\n    { "id": 1, }\n  ]\n}', "line 3, column 14: JSON does not allow a comma before"],
  ['{\n  "a": [\n    {\n      "id": 1\n      "b": 2\n    }\n  ]\n}', 'line 5, column 7: expected "," or "}"'],
  ['{\n  "a": [\n    { "id": tru }\n  ]\n}', "line 3, column 13: expected a value"],
  ['{\n  "a": [\n    tru\n  ]\n}', "line 3, column 5: expected a value"],
  ['{\n  "a": [\n    ,\n  ]\n}', "line 3, column 5: expected a value"],
  ['{\n  "a": [],\n}', "line 3, column 1: expected a property name"],
  ["{\n  a: []\n}", "line 2, column 3: expected a property name"],
  ['{\n  "a" []\n}', 'line 2, column 7: expected ":"'],
  ['{\n  "a": []\n}\n}', "line 4, column 1: expected nothing more"],
  ['{\n  "a": [\n    { "id": 1 },', "line 3, column 17: expected a value but found the end"],
  ['{\n  "a": [\n    { "id": 1', "line 3, column 14: expected"],
  ['{\n  "a": [\n    { "id": "1 }\n  ]\n}\n', "line 3, column 17: JSON does not allow a line break in a text"],
  ['{\n  "a": {\n    "b": 1,,\n  }\n}', "line 3, column 12: expected a property name"],
  ['{\n  "a', 'line 2, column 5: expected a closing "'],
  [`{\n  "a": [\n${MANY_LINES}    { "id" 1 }\n  ]\n}`, 'line 12003, column 12: expected ":"'],
  [`{"a":[${ONE_LINE}{"id" 1}]}`, `line 1, column ${'{"a":['.length + ONE_LINE.length + 7}: expected ":"`],
  [`{"a":[${ONE_LINE}\n\n  {"id" 1}]}`, 'line 3, column 9: expected ":"'],
] as const;

for (const [text, message] of mistakes) {
  const shown = text.length > 100 ? `${text.length} characters` : JSON.stringify(text);
  test(`${shown} -> ${message}`, async () => {
    await expect(readAll(text)).rejects.toThrow(message);
  });
}
