import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { startLayered } from "../support/layers.ts";

const SECRET = "a secret of thirty-two bytes, ok";
const ANN = { email: "ann@example.com", password: "open sesame" };
const BEN = { email: "ben@example.com", password: "shut sesame" };
const TOKEN_REFUSED = { code: "TOKEN_INVALID" };

/** A server as it is after a restart with these users: the secret stays the same. */
function startWith(...users: JsonObject[]) {
  return startLayered({ middlewares: ["signed-token"], layers: { "signed-token": { secret: SECRET, users } } });
}

async function tokenOf(user: typeof ANN, ...users: JsonObject[]): Promise<string> {
  const api = await startWith(...users);
  const { body } = await api.ask("POST /login", { body: { email: user.email, password: user.password } });
  return (body as { accessToken: string }).accessToken;
}

async function writeWith(token: string, ...users: JsonObject[]) {
  const api = await startWith(...users);
  const headers = { Authorization: `Bearer ${token}` };
  return api.ask("PATCH /products/1", { headers, body: { price: 1 } });
}

describe("a token is good as long as its user is in the list", () => {
  const after: [change: string, status: number, users: JsonObject[]][] = [
    ["nothing changed", 200, [ANN, BEN]],
    ["the user was removed", 401, [BEN]],
    ["another user has the number now", 401, [BEN, ANN]],
    ["the number belongs to a newcomer", 401, [{ email: "eve@example.com", password: "x" }, BEN]],
    ["the email changed", 401, [{ ...ANN, email: "anna@example.com" }, BEN]],
    ["the email changed case", 401, [{ ...ANN, email: "Ann@example.com" }, BEN]],
    ["the id changed", 401, [{ ...ANN, id: 7 }, BEN]],
    ["the user moved and kept the id", 200, [BEN, { ...ANN, id: 1 }]],
    [
      "two users share the number",
      200,
      [
        { ...BEN, id: 1 },
        { ...ANN, id: "1" },
      ],
    ],
  ];
  for (const [change, status, users] of after) {
    test(`${change} -> ${status}`, async () => {
      const answer = await writeWith(await tokenOf(ANN, ANN, BEN), ...users);
      expect(answer.status).toBe(status);
      if (status === 401) expect(answer.body).toMatchObject(TOKEN_REFUSED);
      if (status === 401) expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    });
  }
});
