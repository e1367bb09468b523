import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { router } from "../../src/json-server/module.ts";

/** lowdb 1 as json-server 0.17.4 has it; every chain runs on it and on ours, and must do and give the same. */
interface Db {
  // biome-ignore lint/suspicious/noExplicitAny: lodash chains
  [name: string]: any;
}
type Chain = (db: Db) => unknown;

const jsonServer = createRequire(import.meta.url)("json-server") as { router(data: object): { db: Db } };

const data = () => ({
  posts: [
    { id: 1, title: "Clay Pot", tags: ["a", "b"], views: 10 },
    { id: 2, title: "Hat", tags: [], views: 30, author: { name: "Ann" } },
    { id: 3, title: "Cup", tags: ["b"], views: 20 },
  ],
  comments: [{ id: "x1", postId: 1, body: "hi" }],
  profile: { name: "typicode", settings: { theme: "dark" } },
  empty: [] as object[],
});

const READS: Readonly<Record<string, Chain>> = {
  "get(name).value()": (db) => db.get("posts").value(),
  "get of a path": (db) => db.get("posts[0].title").value(),
  "get of a path as a list": (db) => db.get(["posts", 1, "author", "name"]).value(),
  "get of nothing": (db) => [db.get("nothing").value(), db.get("posts[9].title", "none").value()],
  "find by fields": (db) => db.get("posts").find({ id: 1 }).value(),
  "find by a function": (db) =>
    db
      .get("posts")
      .find((post: { views: number }) => post.views > 15)
      .value(),
  "find nothing": (db) => db.get("posts").find({ id: 99 }).value(),
  "filter, sortBy, take, map": (db) =>
    db
      .get("posts")
      .filter((post: { views: number }) => post.views > 5)
      .sortBy("views")
      .take(2)
      .map("title")
      .value(),
  size: (db) => [db.get("posts").size().value(), db.get("empty").size().value()],
  "orderBy, slice, cloneDeep": (db) => db.get("posts").orderBy(["views"], ["desc"]).slice(1).cloneDeep().value(),
  "has, keys": (db) => [db.has("posts").value(), db.has("nope").value(), db.keys().value()],
  "reduce, sumBy, groupBy": (db) => [db.get("posts").sumBy("views").value(), db.get("posts").groupBy("views").value()],
  "first, last, nth": (db) => [db.get("posts").first().value(), db.get("posts").last().value()],
  getById: (db) => [db.get("posts").getById("2").value(), db.get("comments").getById("x1").value()],
  "getById of nothing": (db) => db.get("posts").getById(77).value(),
  createId: (db) => [db.get("posts").createId().value(), db.get("empty").createId().value()],
  "getState, value": (db) => [db.getState(), db.value()],
  "JSON of the state": (db) => JSON.stringify(db.getState()),
  "_.mixin": (db) => {
    db._.mixin({ second: (list: unknown[]) => list[1] });
    return db.get("posts").second().value();
  },
  "_ itself": (db) => [db._.VERSION, db._.deepQuery({ a: ["Hat"] }, "ha"), db._.isArray(db.getState().posts)],
  getRemovable: (db) => {
    db.get("comments").push({ id: "x2", postId: 44 }).value();
    return db._.getRemovable(db.getState(), { foreignKeySuffix: "Id" });
  },
  "a chain that is kept": (db) => {
    const posts = db.get("posts");
    posts.push({ id: 4 }).value();
    return [posts.size().value(), posts.find({ id: 4 }).value()];
  },
};

const WRITES: Readonly<Record<string, Chain>> = {
  "push().write()": (db) => db.get("posts").push({ id: 9, title: "New" }).write(),
  "push of several": (db) => db.get("posts").push({ id: 9 }, { id: 10 }).write(),
  "push of a record without an id": (db) => db.get("posts").push({ title: "New" }).write(),
  "push to an empty collection": (db) => db.get("empty").push({ id: 1 }).write(),
  unshift: (db) => db.get("posts").unshift({ id: 9 }).write(),
  "remove by fields": (db) => db.get("posts").remove({ id: 2 }).write(),
  "remove by a function": (db) =>
    db
      .get("posts")
      .remove((post: { views: number }) => post.views > 15)
      .write(),
  "find().assign()": (db) => db.get("posts").find({ id: 2 }).assign({ title: "Cap", more: null }).write(),
  "find().set, unset": (db) => [
    db.get("posts").find({ id: 2 }).set("author.name", "Bob").write(),
    db.get("posts").find({ id: 1 }).unset("tags").write(),
  ],
  "set of a path": (db) => db.set("posts[0].title", "Set").write(),
  "set of a collection": (db) => db.set("posts", [{ id: 5 }]).write(),
  "set of a new collection": (db) => db.set("likes", [{ id: 1 }]).write(),
  "unset of a collection": (db) => db.unset("comments").write(),
  "set of a singleton": (db) => db.set("profile.settings.theme", "light").write(),
  "update of a count": (db) => [
    db.set("count", 1).write(),
    db.update("count", (count: number) => count + 1).write(),
    db.get("count").value(),
  ],
  "defaults of what is missing": (db) => db.defaults({ posts: [], user: {}, count: 0 }).write(),
  insert: (db) => db.get("posts").insert({ title: "Inserted" }).write(),
  "insert with an id": (db) => db.get("posts").insert({ id: 40, title: "Inserted" }).write(),
  "insert of an id that is taken": (db) => {
    try {
      return db.get("posts").insert({ id: 1 }).write();
    } catch (thrown) {
      return String(thrown);
    }
  },
  upsert: (db) => [db.get("posts").upsert({ id: 1, title: "Up" }).write(), db.get("posts").upsert({ a: 1 }).write()],
  updateById: (db) => db.get("posts").updateById(2, { title: "By id", id: 7 }).write(),
  updateWhere: (db) => db.get("posts").updateWhere({ views: 10 }, { views: 11 }).write(),
  replaceById: (db) => db.get("posts").replaceById("3", { title: "Only" }).write(),
  removeById: (db) => [db.get("posts").removeById(1).write(), db.get("posts").removeById(1).write()],
  removeWhere: (db) => db.get("posts").removeWhere({ title: "Hat" }).write(),
  "a live reference": (db) => {
    const post = db.get("posts").find({ id: 1 }).value();
    post.title = "Live";
    post.tags.push("c");
    return db.write();
  },
  "the state itself": (db) => {
    db.getState().posts.splice(1, 1);
    return db.write("given back");
  },
  "setState().write()": (db) => db.setState({ posts: [{ id: 2, title: "Other" }], lists: [] }).write(),
  "setState, then write": (db) => {
    db.setState({ ...db.getState(), posts: [{ id: 3 }, { id: 1 }] });
    return db.write();
  },
  "sort in place": (db) =>
    db
      .get("posts")
      .sortBy("title")
      .tap(() => {})
      .write(),
  reverse: (db) => db.get("posts").reverse().write(),
  "an id that is changed": (db) => db.get("posts").find({ id: 1 }).assign({ id: 100 }).write(),
  "an id twice": (db) => db.get("posts").push({ id: 1, title: "twin" }).write(),
  "a chain that does nothing": (db) => db.get("posts").map("id").write(),
  "values that are no JSON": (db) =>
    db
      .get("posts")
      .push({ id: 8, when: new Date(0), no: undefined, nan: Number.NaN, f() {} })
      .write(),
  "splice in the middle": (db) => db.get("posts").splice(1, 1, { id: 30 }).write(),
  "pull, fill": (db) => db.get("posts[0].tags").pull("a").write(),
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");

describe("chains on router.db give what lowdb gives", () => {
  for (const [name, chain] of Object.entries({ ...READS, ...WRITES })) {
    test(name, () => {
      const theirs = jsonServer.router(data()).db;
      const ours = router(data()).db as unknown as Db;
      expect(plain(chain(ours))).toEqual(plain(chain(theirs)));
      expect(plain(ours.getState())).toEqual(plain(theirs.getState()));
    });
  }
});

describe("what a chain writes is what the store holds", () => {
  for (const [name, chain] of Object.entries(WRITES)) {
    test(name, async () => {
      const theirs = jsonServer.router(data()).db;
      const { db, close } = router(data());
      chain(theirs);
      chain(db as unknown as Db);
      // A new read comes from the store alone.
      expect(plain(db.read().getState())).toEqual(plain(theirs.getState()));
      await close();
    });
  }
});
