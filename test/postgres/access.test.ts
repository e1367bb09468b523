import { expect, onTestFinished, test } from "vitest";
import { EVERYTHING } from "../../src/query/parse-query.ts";
import { DEFAULT_HISTORY } from "../../src/store/history.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { describeEvents, NOTES_DATA } from "../features/access/events-suite.ts";
import { serveGuarded } from "../features/access/guarded-server.ts";
import { describeMatrix } from "../features/access/leak-matrix.ts";
import { ACCESS, DATA } from "../features/access/matrix-data.ts";
import { codeOf } from "../support/api.ts";
import { IS_SOAK } from "../support/soak.ts";
import { createStore } from "./database.ts";

async function open(data = DATA) {
  const opened = await createStore({ history: DEFAULT_HISTORY });
  await opened.store.data.replace(incomingMembers(data), true);
  return opened;
}

describeMatrix("in PostgreSQL", { open, users: IS_SOAK ? ["ann", "nobody"] : ["ann"] });
describeEvents("in PostgreSQL", { open: () => open(NOTES_DATA), hasSandboxes: true });

test("writes are judged in PostgreSQL, too", async () => {
  const { store, close } = await open();
  const server = await serveGuarded(store, { access: ACCESS });
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  const code = async (line: string, body?: unknown) => {
    const answer = await server.as("ann", line, body === undefined ? {} : { body });
    return codeOf(answer) ?? answer.body;
  };
  expect(await code("POST /orders", { n: 1 })).toEqual({ n: 1, user_id: 1, id: 7 });
  expect(await code("POST /orders", { user_id: 2 })).toBe("ACCESS_DENIED");
  expect(await code("PATCH /orders/2", { n: 1 })).toBe("RECORD_NOT_FOUND");
  expect(await code("PATCH /notes/5", { n: 1 })).toBe("ACCESS_DENIED");
  expect(await code("PATCH /orders/1", { user_id: 2 })).toBe("ACCESS_DENIED");
  expect(await code("PUT /orders/1", { n: 9 })).toEqual({ n: 9, user_id: 1, id: 1 });
  expect(await code("PATCH /notes?_all=true", { n: 8 })).toEqual({ count: 2, ids: [1, 4] });
  expect(await code("DELETE /orders/4?_dependent=lines")).toEqual({});
  expect(await code("PATCH /users/1", { roles: ["admin"] })).toBe("ACCESS_DENIED");
  const requests = [{ method: "GET", path: "/orders/2" }];
  expect(await code("POST /__batch", { requests })).toBe("RECORD_NOT_FOUND");
  const { records } = await store.find("lines", EVERYTHING);
  // The line that refers to order 4 belongs to Bob, so it stays.
  expect(records).toHaveLength(6);
});
