import { expect, test } from "vitest";
import { signedInUser } from "../../src/http/signed-in-user.ts";

const ann = { id: "1", roles: ["editor"], claims: { email: "ann@shop.test" } };

test("a user with id, roles and claims is signed in", () => {
  expect(signedInUser({ user: ann })).toBe(ann);
});

const others: readonly unknown[] = [
  undefined,
  null,
  "ann",
  { id: 1, role: "admin" },
  { ...ann, id: 1 },
  { ...ann, roles: "editor" },
  { ...ann, claims: [] },
];

for (const user of others) {
  test(`${JSON.stringify(user)} is the user of another guard, or none`, () => {
    expect(signedInUser({ user })).toBeUndefined();
  });
}
