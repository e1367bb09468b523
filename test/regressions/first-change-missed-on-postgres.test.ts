/** A reader began to follow changes before the other processes, and even its own, knew that they must announce them. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { StoreEvent } from "../../src/store/store.ts";
import { createStore, storeWith } from "../postgres/database.ts";
import { outsider } from "../postgres/outsider.ts";
import { askAt } from "../support/api.ts";
import { readEvents } from "../support/event-reader.ts";
import { serveStore } from "../support/serve-store.ts";

/** Keeps the request for announcements waiting until `letGo` is called. */
async function holdRequest({ url, schema }: { url: string; schema: string }) {
  const { sql, isWaitedFor } = await outsider(url, schema);
  await sql`BEGIN`;
  await sql`INSERT INTO meta VALUES ('announce', 'yes')`;
  return { isWaitedFor, letGo: () => sql`ROLLBACK` };
}

describe("the first change after a reader begins to follow", () => {
  test("is told to a listener of the process that makes it", async () => {
    const opened = await storeWith({ things: [{ id: 1 }] });
    const request = await holdRequest(opened);
    const heard: StoreEvent[] = [];
    onTestFinished(opened.store.subscribe((event) => heard.push(event)));
    await request.isWaitedFor();
    await opened.store.apply({ kind: "remove", collection: "things", id: "1", dependents: [] });
    await request.letGo();
    await expect.poll(() => heard).toMatchObject([{ kind: "change", change: { edits: [{ name: "things" }] } }]);
  });

  for (const [by, follow] of [
    ["GET /__changes", (url: string) => askAt(url, "GET /__changes")],
    ["GET /__events", (url: string) => readEvents(`${url}/__events`)],
  ] as const) {
    test(`is told by ${by}, whichever process makes it`, async () => {
      const opened = await storeWith({ things: [{ id: 1 }] });
      const other = await createStore({ schema: opened.schema });
      onTestFinished(other.close);
      const served = await serveStore(opened.store);
      onTestFinished(served.close);
      const request = await holdRequest(opened);
      const written = follow(served.url).then(() =>
        other.store.apply({ kind: "remove", collection: "things", id: "1", dependents: [] }),
      );
      await request.isWaitedFor();
      // A response that does not wait for the other processes comes meanwhile.
      for (let turn = 0; turn < 20; turn++) await askAt(served.url, "GET /things");
      await request.letGo();
      await written;
      const { body } = await askAt(served.url, "GET /__changes?wait=20000");
      expect(body).toMatchObject({ changes: [{ edits: [{ name: "things", kind: "removed", id: 1 }] }] });
    });
  }
});
