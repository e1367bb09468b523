import { expect, onTestFinished, test } from "vitest";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { askAt, idsOf } from "../support/api.ts";
import { foreignKeySuite, mixedData } from "../support/foreign-key-suite.ts";
import { serveStore } from "../support/serve-store.ts";
import { testAtLength } from "../support/soak.ts";
import { createStore } from "./database.ts";
import { oneDatabase } from "./one-database.ts";

foreignKeySuite(oneDatabase(), testAtLength);

test("another process learns of the first key with the request that needs it", async () => {
  const first = await createStore();
  await first.store.data.replace(incomingMembers(mixedData()), true);
  const second = await createStore({ schema: first.schema });
  onTestFinished(async () => {
    await second.close();
    await first.close();
  });
  const [here, there] = [await serve(first.store), await serve(second.store)];
  expect(idsOf(await askAt(there, "GET /posts/1/tags"))).toEqual([]);
  await askAt(here, "POST /tags", { body: { post_id: 1 } });
  expect(idsOf(await askAt(there, "GET /posts/1/tags"))).toEqual([1]);

  await askAt(here, "PATCH /marks/1", { body: { post_id: 1 } });
  expect((await askAt(there, "GET /posts/1?_embed=marks")).body).toMatchObject({ marks: [{ id: 1 }] });

  await askAt(here, "PATCH /users/1", { body: { post_id: 2 } });
  expect((await askAt(there, "GET /users?_expand=post")).body).toMatchObject([{ post: { id: 2 } }]);

  await askAt(here, "DELETE /tags/1");
  expect((await askAt(there, "POST /posts/2/tags", { body: {} })).body).toMatchObject({ postId: 2 });
});

async function serve(store: PostgresStore): Promise<string> {
  const listening = await serveStore(store);
  onTestFinished(() => listening.close());
  return listening.url;
}
