import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/features/history/types.ts";
import type { DataChange } from "../../../src/store/data-change.ts";
import { codeOf } from "../../support/api.ts";
import { readEvents } from "../../support/event-reader.ts";
import { limit } from "../../support/limits.ts";
import { connectOverHttp, ERAS } from "../agents/agent.ts";
import { type GuardedServer, serveGuarded } from "./guarded-server.ts";
import type { MatrixOptions } from "./leak-matrix.ts";

export const NOTES_DATA = {
  notes: [
    { id: 1, user_id: 1, public: false, text: "own" },
    { id: 2, user_id: 2, public: false, text: "hidden" },
  ],
  users: [{ id: 1 }, { id: 2 }, { id: 3 }],
};
const NOTES = { owner: "user_id", read: "_or=user_id={{user.id}}&_or=public=true", write: "owner", admin: "all" };

/** Events, history, sandboxes and plans as a user sees them, over a store with `NOTES_DATA`. */
export function describeEvents(
  title: string,
  { open, hasSandboxes }: MatrixOptions & { readonly hasSandboxes: boolean },
): void {
  describe(title, () => {
    let opened: Awaited<ReturnType<MatrixOptions["open"]>>;
    let server: GuardedServer;
    beforeAll(async () => {
      opened = await open();
      server = await serveGuarded(opened.store, { access: { notes: NOTES } });
    }, limit(60_000));
    afterAll(async () => {
      await server.close();
      await opened.close();
    });

    const patch = (user: "ann" | "bob", id: number, body: object) => server.as(user, `PATCH /notes/${id}`, { body });
    const editsOf = ({ edits = [] }: DataChange) => edits.map(({ kind, id }) => `${kind} ${id}`);

    test("events, changes and history show a user the visible part of each change", async () => {
      const stream = await readEvents(`${server.url}/__events`, { "x-user": "ann" });
      await patch("bob", 2, { text: "still hidden" });
      await patch("bob", 2, { public: true, text: "open" });
      await patch("bob", 2, { text: "shown" });
      await patch("bob", 2, { public: false, text: "hidden" });
      await patch("bob", 2, { text: "hidden again" });
      await patch("ann", 1, { text: "mine" });
      const seen = ["created 2", "changed 2", "removed 2", "changed 1"];

      const events = await stream.atLeast(4);
      expect(events.flatMap(({ data }) => editsOf(data as DataChange))).toEqual(seen);
      expect(JSON.stringify(events)).not.toContain("hidden");

      const changes = await server.as("ann", "GET /__changes");
      expect((changes.body as { changes: DataChange[] }).changes.flatMap(editsOf)).toEqual(seen);
      expect(changes.text).not.toContain("hidden");
      expect((await server.as("nobody", "GET /__changes")).text).not.toContain("mine");

      const versionsOf = async (user: "ann" | "bob" | "admin", query = "") =>
        ((await server.as(user, `GET /__history${query}`)).body as HistoryPage).versions.filter(
          ({ kind }) => kind === "change",
        );
      expect((await versionsOf("ann")).map(({ summary }) => summary)).toEqual([
        "notes: 1 updated",
        "notes: 1 removed",
        "notes: 1 updated",
        "notes: 1 created",
      ]);
      expect(await versionsOf("ann", "?collection=notes&id=2")).toHaveLength(3);
      const [first] = (await versionsOf("bob", "?collection=notes&id=2")).slice(-1);
      const hidden = await server.as("ann", `GET /__history/${first?.version}`);
      expect([hidden.status, codeOf(hidden)]).toEqual([404, "VERSION_NOT_FOUND"]);
      const pages = await versionsOf("ann", "?limit=1");
      expect(pages).toHaveLength(1);
    });

    test("the past of a record is that of the user", async () => {
      const version = (await server.as("admin", "GET /__overview")).body as { history: { latest: number } };
      const moment = version.history.latest;
      expect((await server.as("ann", `GET /notes?_at=${moment}`)).body).toMatchObject([{ id: 1 }]);
      expect((await server.as("ann", `GET /__at/${moment}/notes/2`)).status).toBe(404);
      expect((await server.as("bob", `GET /__at/${moment}/notes/2`)).status).toBe(200);
    });

    test.skipIf(!hasSandboxes)("a sandbox has the same rules", async () => {
      await server.as("admin", "POST /__sandboxes", { body: { name: "one" } });
      expect((await server.as("ann", "GET /__sandbox/one/notes")).body).toMatchObject([{ id: 1 }]);
      expect((await server.as("ann", "GET /__sandbox/one/notes/2")).status).toBe(404);
    });

    test("an agent without a sandbox reads the shared data as its user", async () => {
      const agent = await connectOverHttp(server.url, ERAS[0], { "x-user": "ann" });
      const text = JSON.stringify(await agent.call("query", { path: "/notes" }));
      expect(text).toContain("mine");
      expect(text).not.toContain("hidden");
    });

    test("how a query runs is told to those who may read everything", async () => {
      const headers = { prefer: "explain" };
      const refused = await server.as("ann", "GET /notes?text=x", { headers });
      expect([refused.status, codeOf(refused)]).toEqual([403, "ACCESS_DENIED"]);
      expect((await server.as("admin", "GET /notes?text=x", { headers })).status).toBe(200);
    });
  });
}
