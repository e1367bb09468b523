import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsCommand } from "../../src/commands/requests.ts";
import { startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { readHttpFile } from "../support/http-file.ts";
import { expectAllWork } from "../support/sent-request.ts";
import { expectOddDataWorks, ODD_CASES } from "./odd-cases.ts";

test.each(Object.keys(ODD_CASES))("every request works on odd data: %s", (name) =>
  expectOddDataWorks(ODD_CASES[name]!),
);

const SECRET = "hunter2-hunter2";

test("--rules: bodies keep them, values are unique where they must be, and no record is deleted that others keep", async () => {
  const people = {
    type: "object",
    properties: {
      id: { type: "integer" },
      email: { type: "string", format: "email" },
      password: { type: "string", minLength: 12 },
      company_id: { type: "integer" },
    },
    required: ["email", "password", "company_id"],
    "x-unique": ["email"],
    "x-references": { company_id: { collection: "companies", onDelete: "refuse" } },
  };
  const data = {
    companies: [{ id: 1 }, { id: 2 }],
    people: [{ id: 1, email: "ann@example.com", password: SECRET, company_id: 1 }],
  };
  const rules = join(createFolder({ "rules.json": { people } }), "rules.json");
  const folder = createFolder({ "db.json": data });
  const out = join(folder, "people.http");
  await requestsCommand.run([join(folder, "db.json"), "--rules", rules, "--out", out, "--quiet"]);
  const text = readFileSync(out, "utf8");
  expect(text).not.toContain(SECRET);
  expect(text).toContain("DELETE {{baseUrl}}/companies/2\n");
  const api = await startApi({ data: structuredClone(data), rules });
  await expectAllWork(readHttpFile(text, { baseUrl: api.url }));
});
