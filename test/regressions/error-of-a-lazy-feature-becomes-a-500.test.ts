import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

// Features are loaded from chunks of their own. With a second copy of the error classes in one of them, the server did
// not recognise their errors.
test("the built server sends the 404 of a feature that is loaded later", async () => {
  const server = await serveKept(["--snapshots", "saved"], createFolder({ "db.json": { notes: [] } }));
  const { status, body } = await askAt(server.url, "PUT /__snapshots__/nothing");
  expect([status, body]).toEqual([404, expect.objectContaining({ code: "SNAPSHOT_NOT_FOUND" })]);
  await server.stop();
});
