import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";

test("a record with another parent by a write to its neighbour has another ETag", async () => {
  const { ask } = await startApi({ data: { posts: [{ id: 1 }], notes: [{ id: 1, post_id: 1 }] } });
  const first = await ask("GET /notes/1?_expand=post");
  expect(first.body).toMatchObject({ post: { id: 1 } });
  // Of both keys, postId counts, and the first note has none.
  await ask("POST /notes", { body: { postId: 1 } });
  const again = await ask("GET /notes/1?_expand=post", { headers: { "If-None-Match": first.headers.get("etag")! } });
  expect([again.status, again.body]).toEqual([200, { id: 1, post_id: 1 }]);
});
