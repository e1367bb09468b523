import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { type Answer, type AskOptions, idsOf } from "./api.ts";

type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** Collections of which some refer to others by `Id`, some by `_id`, one by both, and one by nothing yet. */
export function mixedData(): JsonObject {
  return {
    posts: [{ id: 1 }, { id: 2 }],
    users: [{ id: 1, name: "Ada" }],
    comments: [
      { id: 1, postId: 1, userId: 1 },
      { id: 2, postId: 2, userId: 1 },
    ],
    notes: [
      { id: 1, post_id: 1, user_id: 1 },
      { id: 2, post_id: 2 },
    ],
    likes: [
      { id: 1, post_id: 1 },
      { id: 2, postId: 1, userId: 1 },
    ],
    marks: [{ id: 1, user_id: 1 }],
    tags: [],
  };
}

type Test = (name: string, body: () => Promise<void>) => void;

/** The rules for every store without a given suffix. `further` runs those that follow from the others. */
export function foreignKeySuite(start: (data: JsonObject) => Promise<Ask>, further: Test = test): void {
  describe("the keys that records of a collection hold decide how its foreign keys end", () => {
    test("nested lists, embedded children and expanded parents", async () => {
      const ask = await start(mixedData());
      expect(idsOf(await ask("GET /posts/1/comments"))).toEqual([1]);
      expect(idsOf(await ask("GET /posts/1/notes"))).toEqual([1]);
      expect((await ask("GET /posts/1?_embed=comments&_embed=notes&_embed=tags")).body).toEqual({
        id: 1,
        comments: [{ id: 1, postId: 1, userId: 1 }],
        notes: [{ id: 1, post_id: 1, user_id: 1 }],
        tags: [],
      });
      expect((await ask("GET /posts?_embed=comments,notes&_sort=id&_order=desc&_limit=1")).body).toEqual([
        { id: 2, comments: [{ id: 2, postId: 2, userId: 1 }], notes: [{ id: 2, post_id: 2 }] },
      ]);
      expect((await ask("GET /comments/1?_expand=post&_expand=user")).body).toMatchObject({
        post: { id: 1 },
        user: { name: "Ada" },
      });
      expect((await ask("GET /notes?_expand=user&_expand=post")).body).toEqual([
        { id: 1, post_id: 1, user_id: 1, user: { id: 1, name: "Ada" }, post: { id: 1 } },
        { id: 2, post_id: 2, post: { id: 2 } },
      ]);
    });

    further("where records hold both, Id counts", async () => {
      const ask = await start(mixedData());
      expect(idsOf(await ask("GET /posts/1/likes"))).toEqual([2]);
    });

    test("a new child gets the key that its collection uses, Id where nothing is known", async () => {
      const ask = await start(mixedData());
      expect((await ask("POST /posts/2/comments", { body: {} })).body).toEqual({ postId: 2, id: 3 });
      expect((await ask("POST /posts/2/notes", { body: {} })).body).toEqual({ post_id: 2, id: 3 });
      expect((await ask("POST /posts/2/tags", { body: {} })).body).toEqual({ postId: 2, id: 1 });
      // No mark knows its post yet, but marks end their other keys in _id.
      expect((await ask("POST /posts/2/marks", { body: {} })).body).toEqual({ post_id: 2, id: 2 });
    });

    further("_dependent takes the children of each collection by its own key", async () => {
      const ask = await start(mixedData());
      expect((await ask("DELETE /posts/1?_dependent=comments,notes")).status).toBe(200);
      expect(idsOf(await ask("GET /comments"))).toEqual([2]);
      expect(idsOf(await ask("GET /notes"))).toEqual([2]);
    });

    test("evidence that comes and goes is followed", async () => {
      const ask = await start(mixedData());
      await ask("GET /posts/1/tags");
      await ask("POST /tags", { body: { post_id: 1 } });
      expect(idsOf(await ask("GET /posts/1/tags"))).toEqual([1]);
      expect((await ask("GET /posts/1?_embed=tags")).body).toEqual({ id: 1, tags: [{ post_id: 1, id: 1 }] });
      expect((await ask("POST /posts/1/tags", { body: {} })).body).toEqual({ post_id: 1, id: 2 });

      await ask("DELETE /tags/1");
      await ask("PUT /tags/2", { body: { name: "bare" } });
      expect(idsOf(await ask("GET /posts/1/tags"))).toEqual([]);
      expect((await ask("POST /posts/1/tags", { body: {} })).body).toEqual({ postId: 1, id: 3 });
      expect(idsOf(await ask("GET /posts/1/tags"))).toEqual([3]);

      await ask("DELETE /tags/3");
      await ask("PATCH /tags/2", { body: { post_id: 1 } });
      expect(idsOf(await ask("GET /posts/1/tags"))).toEqual([2]);
    });

    further("of both keys the one that is left counts", async () => {
      const ask = await start(mixedData());
      await ask("DELETE /likes/2");
      expect(idsOf(await ask("GET /posts/1/likes"))).toEqual([1]);
    });

    further("a reset brings the former evidence back", async () => {
      const ask = await start(mixedData());
      await ask("POST /tags", { body: { post_id: 1 } });
      await ask("POST /__reset");
      expect((await ask("POST /posts/1/tags", { body: {} })).body).toEqual({ postId: 1, id: 1 });
    });
  });

  test("the overview tells the relations as they are", async () => {
    const ask = await start(mixedData());
    const { relations, foreignKeySuffix } = (await ask("GET /__overview")).body as Record<string, unknown>;
    expect(foreignKeySuffix).toBeNull();
    expect(relations).toEqual([
      { from: "comments", field: "postId", to: "posts" },
      { from: "comments", field: "userId", to: "users" },
      { from: "notes", field: "post_id", to: "posts" },
      { from: "notes", field: "user_id", to: "users" },
      { from: "likes", field: "postId", to: "posts" },
      { from: "likes", field: "userId", to: "users" },
      { from: "marks", field: "user_id", to: "users" },
    ]);
  });
}
