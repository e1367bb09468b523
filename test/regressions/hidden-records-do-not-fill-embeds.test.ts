import { expect, test } from "vitest";
import { MAX_RELATED } from "../../src/store/store.ts";
import { serveGuarded, storeOf } from "../features/access/guarded-server.ts";
import { limit } from "../support/limits.ts";

test("records that a user may not read neither count in a list of related ones nor displace others", {
  timeout: limit(60_000),
}, async () => {
  const lines = Array.from({ length: MAX_RELATED + 2 }, (_, at) => ({ id: at + 1, order_id: 1, user_id: 2 }));
  const own = { id: lines.length + 1, order_id: 1, user_id: 1 };
  const data = { orders: [{ id: 1 }], lines: [...lines, own] };
  const access = { orders: { read: "anyone" }, lines: { owner: "user_id", read: "owner" } };
  const server = await serveGuarded(storeOf(data), { access });
  for (const path of ["/orders/1?_embed=lines", "/orders?_embed=lines"]) {
    const { status, body } = await server.as("ann", `GET ${path}`);
    expect([path, status, [body].flat()]).toEqual([path, 200, [{ id: 1, lines: [own] }]]);
    expect((await server.as("bob", `GET ${path}`)).body).toMatchObject({ code: "EMBED_TOO_LARGE" });
  }
  await server.close();
});
