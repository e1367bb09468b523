/** The page of the issuer, which needs no token, read all 100,000 users to list 200: each held the event loop for 100 ms. */
import { expect, onTestFinished, test, vi } from "vitest";
import { MAX_LISTED_USERS } from "../../src/features/sign-in/sign-in-users.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { CALLBACK, openShop } from "../features/sign-in/shop.ts";

const USERS = 20_000;
const REQUEST = {
  client_id: "shop-web",
  redirect_uri: CALLBACK,
  response_type: "code",
  code_challenge: "c".repeat(43),
  code_challenge_method: "S256",
};

const cases: readonly (readonly [more: Record<string, string>, shown: string])[] = [
  [{}, `200 of ${USERS} users`],
  [{ login_hint: "nobody@shop.test" }, `200 of ${USERS} users`],
  [{ search: "USER1999" }, "user19999@shop.test"],
  [{ search: "@shop" }, `200 of ${USERS} users`],
  [{ search: "nobody" }, "No user is found"],
];

test("authorize finds users without reading all of them", async () => {
  const users = Array.from({ length: USERS }, (_, at) => ({ id: at + 1, email: `user${at}@shop.test`, password: "x" }));
  await using api = await openShop({}, { data: { users, orders: [] } });
  const find = vi.spyOn(MemoryStore.prototype, "find");
  onTestFinished(() => find.mockRestore());
  const ask = async (method: string, more: Record<string, string>): Promise<string> => {
    const sent = new URLSearchParams({ ...REQUEST, ...more });
    const [path, body] = method === "GET" ? [`?${sent}`, null] : ["", sent];
    return (await fetch(`${api.url}/__oidc/authorize${path}`, { method, body })).text();
  };
  for (const [more, shown] of cases) expect(await ask("GET", more)).toContain(shown);
  expect(await ask("POST", { user: "nobody@shop.test" })).toContain("There is no user nobody@shop.test.");
  expect(await (await fetch(`${api.url}/__oidc/tokens?search=user1`)).json()).toMatchObject({ total: 11_111 });
  const found = await Promise.all(find.mock.results.map(({ value }) => value));
  expect(found.length).toBeGreaterThan(cases.length);
  for (const { records } of found) expect(records.length).toBeLessThanOrEqual(MAX_LISTED_USERS);
});
