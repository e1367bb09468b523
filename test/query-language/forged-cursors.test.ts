import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";

const list = "/products?_sort=-price&_limit=1&_after=";

/** A cursor with any content. Its hash is right, because everyone can compute that. */
function forge(content: string): string {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 10);
  return Buffer.from(`${hash}${content}`).toString("base64url");
}

const contents = [
  "null",
  "1",
  '"text"',
  "{}",
  "[]",
  "[MARK]",
  '[MARK,"1",[4]]',
  "[MARK,1e300,[4]]",
  "[MARK,-1e300,[4]]",
  "[MARK,1e999,[4]]",
  "[MARK,9007199254740993,[4]]",
  "[MARK,NaN,[4]]",
  "[MARK,Infinity,[4]]",
  "[MARK,true,[4]]",
  "[MARK,[1],[4]]",
  "[MARK,null,[4]]",
  "[MARK,1]",
  "[MARK,1,null]",
  "[MARK,1,4]",
  '[MARK,1,{"0":4}]',
  "[MARK,1,[4],[5]]",
];

test("a cursor with a content that no response had is refused, not obeyed", async () => {
  const { ask } = await startApi();
  const next = (await ask(`GET ${list}`)).headers.get("link") ?? "";
  const cursor = Buffer.from(/_after=([\w-]+)/.exec(next)?.[1] ?? "", "base64url").toString();
  const [mark] = JSON.parse(cursor.slice(10)) as [string];
  expect((await ask(`GET ${list}${forge(cursor.slice(10))}`)).status).toBe(200);
  for (const content of contents) {
    const forged = await ask(`GET ${list}${forge(content.replace("MARK", JSON.stringify(mark)))}`);
    expect([content, forged.status, forged.body]).toMatchObject([content, 400, { code: "CURSOR_INVALID" }]);
  }
});
