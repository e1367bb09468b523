import assert from "node:assert/strict";
import type { Octokit } from "@octokit/rest";
import { type At, connectOctokit, statusOf } from "./connect-octokit.ts";
import { failureOf, holds, made, type RunStep, type SdkSession } from "./session.ts";

export const octokit: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const repository = await repositories(client, step);
    const at = { owner: repository?.owner.login ?? "octocat", repo: repository?.name ?? "hello-world" };
    await issues(client, step, at);
    await labels(client, step, at);
    await pulls(client, step, at);
    await step("delete a repository", async () => {
      assert.equal((await client.repos.delete(at)).status, 204);
      assert.equal(statusOf(await failureOf(() => client.repos.get(at))), 404);
    });
  },
};

async function repositories(client: Octokit, step: RunStep) {
  const repository = await step(
    "create a repository",
    async () => (await client.repos.createForAuthenticatedUser({ name: "demo", description: "First" })).data,
    (one) => assert.deepEqual([one.name, one.description], ["demo", "First"]),
  );
  const at = () => ({ owner: made(repository).owner.login, repo: made(repository).name });
  await step(
    "get a repository by owner and name",
    async () => (await client.repos.get(at())).data,
    (one) => assert.deepEqual([one.id, one.name], [made(repository).id, "demo"]),
  );
  await step(
    "update a repository",
    async () => (await client.repos.update({ ...at(), description: "Second" })).data,
    (one) => assert.deepEqual([one.id, one.description], [made(repository).id, "Second"]),
  );
  await step(
    "list repositories",
    () => client.paginate(client.repos.listForAuthenticatedUser, { per_page: 5 }),
    (all) => holds(all.some(({ id }) => id === made(repository).id)),
  );
  await step(
    "404 for an unknown repository",
    () => failureOf(() => client.repos.get({ owner: "nobody", repo: "nothing" })),
    (thrown) => assert.equal(statusOf(thrown), 404),
  );
  return repository;
}

async function issues(client: Octokit, step: RunStep, at: At): Promise<void> {
  const issue = await step(
    "create an issue",
    async () => (await client.issues.create({ ...at, title: "Broken", body: "It is." })).data,
    (one) =>
      assert.deepEqual([one.title, one.body, one.state, typeof one.number], ["Broken", "It is.", "open", "number"]),
  );
  const which = () => ({ ...at, issue_number: made(issue).number });
  await step(
    "get an issue",
    async () => (await client.issues.get(which())).data,
    (one) => assert.equal(one.title, "Broken"),
  );
  await step(
    "close an issue",
    async () => (await client.issues.update({ ...which(), state: "closed" })).data,
    (one) => assert.deepEqual([one.title, one.state], ["Broken", "closed"]),
  );
  await step(
    "list issues",
    async () => (await client.issues.listForRepo({ ...at, state: "all", per_page: 100 })).data,
    (all) => holds(all.some(({ number }) => number === made(issue).number)),
  );
  await step("page through issues", async () => {
    for (const title of ["One", "Two", "Three", "Four", "Five"]) await client.issues.create({ ...at, title });
    const all = await client.paginate(client.issues.listForRepo, { ...at, state: "all", per_page: 2 });
    assert.equal(new Set(all.map(({ number }) => number)).size, all.length);
    holds(all.length >= 5 && all.some(({ title }) => title === "Five"));
  });
  await step(
    "list closed issues",
    async () => (await client.issues.listForRepo({ ...at, state: "closed" })).data,
    (all) => holds(all.length > 0 && all.every(({ state }) => state === "closed")),
  );
  await step(
    "422 for an issue without a title",
    () => failureOf(() => client.issues.create({ ...at } as Parameters<typeof client.issues.create>[0])),
    (thrown) => assert.equal(statusOf(thrown), 422),
  );
  const comment = await step(
    "comment on an issue",
    async () => (await client.issues.createComment({ ...which(), body: "Seen" })).data,
    (one) => assert.equal(one.body, "Seen"),
  );
  const that = () => ({ ...at, comment_id: made(comment).id });
  await step(
    "list comments",
    async () => (await client.issues.listComments(which())).data,
    (all) => holds(all.some(({ body }) => body === "Seen")),
  );
  await step(
    "update a comment",
    async () => (await client.issues.updateComment({ ...that(), body: "Read" })).data,
    (one) => assert.deepEqual([one.id, one.body], [made(comment).id, "Read"]),
  );
  await step("delete a comment", async () => {
    await client.issues.deleteComment(that());
    assert.equal(statusOf(await failureOf(() => client.issues.getComment(that()))), 404);
  });
}

async function labels(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step(
    "create a label",
    async () => (await client.issues.createLabel({ ...at, name: "urgent", color: "ff0000" })).data,
    (one) => assert.deepEqual([one.name, one.color], ["urgent", "ff0000"]),
  );
  await step(
    "get a label",
    async () => (await client.issues.getLabel({ ...at, name: "urgent" })).data,
    (one) => assert.equal(one.color, "ff0000"),
  );
  await step(
    "update a label",
    async () => (await client.issues.updateLabel({ ...at, name: "urgent", color: "00ff00" })).data,
    (one) => assert.deepEqual([one.name, one.color], ["urgent", "00ff00"]),
  );
  await step(
    "list labels",
    async () => (await client.issues.listLabelsForRepo({ ...at, per_page: 100 })).data,
    (all) => holds(all.some(({ name }) => name === "urgent")),
  );
  await step("delete a label", async () => {
    await client.issues.deleteLabel({ ...at, name: "urgent" });
    assert.equal(statusOf(await failureOf(() => client.issues.getLabel({ ...at, name: "urgent" }))), 404);
  });
}

async function pulls(client: Octokit, step: RunStep, at: At): Promise<void> {
  const pull = await step(
    "open a pull request",
    async () => (await client.pulls.create({ ...at, title: "Change", head: "feature", base: "main" })).data,
    (one) => {
      assert.deepEqual([one.title, one.state], ["Change", "open"]);
      assert.deepEqual([typeof one.head, typeof one.base], ["object", "object"]);
    },
  );
  await step(
    "get a pull request",
    async () => (await client.pulls.get({ ...at, pull_number: made(pull).number })).data,
    (one) => assert.deepEqual([one.id, one.title], [made(pull).id, "Change"]),
  );
  await step(
    "list pull requests",
    async () => (await client.pulls.list({ ...at, state: "all" })).data,
    (all) => holds(all.some(({ number }) => number === made(pull).number)),
  );
  await step("create and read a milestone", async () => {
    const { number } = (await client.issues.createMilestone({ ...at, title: "v1" })).data;
    assert.equal((await client.issues.getMilestone({ ...at, milestone_number: number })).data.title, "v1");
  });
  await step("create and read a gist", async () => {
    const { data } = await client.gists.create({ description: "Notes", files: { "a.txt": { content: "text" } } });
    assert.equal((await client.gists.get({ gist_id: made(data.id) })).data.description, "Notes");
  });
}
