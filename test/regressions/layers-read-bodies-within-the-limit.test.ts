/** `maxBodyBytes` bounded what routes read, and not what the layers in front of them did. */
import { expect, test } from "vitest";
import { codeOf, startApi } from "../support/api.ts";

test("a login of 5 kB with maxBodyBytes 100 -> 413", async () => {
  const api = await startApi({
    maxBodyBytes: 100,
    middlewares: ["signed-token"],
    layers: { "signed-token": { users: [{ id: 1, email: "ada@example.com", password: "lovelace" }] } },
  });
  const body = { email: "ada@example.com", password: "x".repeat(5000) };
  const refused = await api.ask("POST /login", { body });
  expect([refused.status, codeOf(refused)]).toEqual([413, "BODY_TOO_LARGE"]);
  expect((await api.ask("POST /login", { body: { ...body, password: "lovelace" } })).status).toBe(200);
});
