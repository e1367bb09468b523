import { expect, test } from "vitest";
import { examine } from "../../src/commands/doctor/examine.ts";
import { readAccess } from "../../src/features/access/read-access.ts";
import { createFolder } from "../support/cli.ts";

const cases: readonly (readonly [number, object, string | undefined, string])[] = [
  [600, { owner: "userId", read: "owner", write: "owner" }, undefined, "a list shows the records of all users"],
  [640, { owner: "userId", read: "anyone", write: "owner" }, undefined, "PUT takes over any record"],
  [644, { owner: "userId", read: "anyone", write: "owner" }, "GET /posts*", "PUT takes over any record"],
  [660, { read: "anyone", write: "anyone" }, undefined, "/db, nested routes and _embed pass it by"],
  [664, { read: "anyone", write: "anyone" }, "GET /posts*", "pass it by"],
  [666, { read: "anyone", write: "anyone" }, '"/posts*"', "pass it by"],
  [400, { owner: "userId", read: "owner" }, undefined, "a list shows the records of all users"],
  [444, { read: "anyone" }, "GET /posts*", "pass it by"],
];

for (const [guard, access, open, gap] of cases) {
  test(`the guard ${guard} of json-server-auth becomes ${JSON.stringify(access)}`, () => {
    const { findings } = examine(
      createFolder({
        "package.json": { scripts: { mock: "json-server-auth db.json -r routes.json" } },
        "db.json": { posts: [], users: [] },
        "routes.json": { posts: guard },
      }),
    );
    const found = findings.find(({ file }) => file === "routes.json");
    expect(found).toMatchObject({ level: "works", line: 2, message: expect.stringContaining(gap) });
    const [, text = ""] = /"access": (\{.*\}\})/.exec(found?.fix ?? "") ?? [];
    expect(JSON.parse(text)).toEqual({ posts: access });
    expect(() => readAccess(JSON.parse(text), "standin.json")).not.toThrow();
    expect(found?.fix?.includes('"public"')).toBe(open !== undefined);
    if (open !== undefined) expect(found?.fix).toContain(open);
  });
}

test("users own their own records", () => {
  const { findings } = examine(
    createFolder({
      "package.json": { scripts: { mock: "json-server-auth db.json -r routes.json" } },
      "db.json": { users: [] },
      "routes.json": { users: 600 },
    }),
  );
  const fix = findings.find(({ file }) => file === "routes.json")?.fix;
  expect(fix).toContain('{"users":{"read":"id={{user.id}}","write":"id={{user.id}}"}}');
});
