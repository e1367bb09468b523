import assert from "node:assert/strict";
import type { Octokit } from "@octokit/rest";
import { type At, connectOctokit, statusOf } from "../connect-octokit.ts";
import { failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

/** Reviews, merges, locks, reactions, stars and gists, as people who work together use them. */
export const octokitReviews: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const { data: repository } = await client.repos.createForAuthenticatedUser({ name: "team" });
    const at = { owner: repository.owner.login, repo: repository.name };
    await locks(client, step, at);
    await pulls(client, step, at);
    await reactions(client, step, at);
    await people(client, step, at);
    await gists(client, step);
  },
};

async function locks(client: Octokit, step: RunStep, at: At): Promise<void> {
  const { data: issue } = await client.issues.create({ ...at, title: "Loud" });
  const which = { ...at, issue_number: issue.number };
  await step("a new issue is not locked", async () => assert.equal(issue.locked, false));
  await step("a locked issue says so, with its reason", async () => {
    await client.issues.lock({ ...which, lock_reason: "spam" });
    const { data } = await client.issues.get(which);
    assert.deepEqual([data.locked, data.active_lock_reason], [true, "spam"]);
  });
  await step("an unlocked issue is open to all", async () => {
    await client.issues.unlock(which);
    const { data } = await client.issues.get(which);
    holds(data.locked === false && !data.active_lock_reason, `${data.locked} ${data.active_lock_reason}`);
  });
  for (const body of ["One", "Two"]) await client.issues.createComment({ ...which, body });
  await step("comments of a repository include those of its issues", async () => {
    const { data } = await client.issues.listCommentsForRepo({ ...at, per_page: 100 });
    holds(data.some(({ body }) => body === "Two"));
  });
  await step("page through comments by links", async () => {
    for (const body of ["Three", "Four", "Five"]) await client.issues.createComment({ ...which, body });
    const all = await client.paginate(client.issues.listComments, { ...which, per_page: 2 });
    assert.deepEqual(
      all.map(({ body }) => body),
      ["One", "Two", "Three", "Four", "Five"],
    );
  });
  await step("sub-issues and their parent", async () => {
    const { data: child } = await client.issues.create({ ...at, title: "Part" });
    await client.issues.addSubIssue({ ...which, sub_issue_id: child.id });
    const { data } = await client.issues.listSubIssues(which);
    holds(data.some(({ id }) => id === child.id));
  });
}

async function pulls(client: Octokit, step: RunStep, at: At): Promise<void> {
  const { data: pull } = await client.pulls.create({
    ...at,
    title: "Add hats",
    body: "Hats",
    head: "hats",
    base: "main",
    draft: true,
  });
  const that = { ...at, pull_number: pull.number };
  await step("change the title of a pull request", async () => {
    const { data } = await client.pulls.update({ ...that, title: "Add caps" });
    assert.deepEqual([data.title, data.state, data.number], ["Add caps", "open", pull.number]);
  });
  await step("not merged yet", async () =>
    assert.equal(statusOf(await failureOf(() => client.pulls.checkIfMerged(that))), 404),
  );
  await step("a merged pull request is merged and closed", async () => {
    const { data: merge } = await client.pulls.merge({ ...that, merge_method: "squash" });
    assert.deepEqual([merge.merged, typeof merge.sha], [true, "string"]);
    const { data } = await client.pulls.get(that);
    assert.deepEqual([data.merged, typeof data.merged_at], [true, "string"]);
    assert.equal((await client.pulls.checkIfMerged(that)).status, 204);
  });
  await step("404 when an unknown pull request is merged", async () =>
    assert.equal(statusOf(await failureOf(() => client.pulls.merge({ ...at, pull_number: 987_654 }))), 404),
  );
  await step("list the files and commits of a pull request", async () => {
    holds(Array.isArray((await client.pulls.listFiles(that)).data));
    holds(Array.isArray((await client.pulls.listCommits(that)).data));
  });
}

async function reactions(client: Octokit, step: RunStep, at: At): Promise<void> {
  const { data: issue } = await client.issues.create({ ...at, title: "Nice" });
  const which = { ...at, issue_number: issue.number };
  await step("react to an issue, list and take back", async () => {
    const { data: heart } = await client.reactions.createForIssue({ ...which, content: "heart" });
    assert.equal(heart.content, "heart");
    await client.reactions.createForIssue({ ...which, content: "eyes" });
    const { data } = await client.reactions.listForIssue({ ...which, content: "heart" });
    assert.deepEqual(
      data.map(({ id }) => id),
      [heart.id],
    );
    assert.equal((await client.reactions.deleteForIssue({ ...which, reaction_id: heart.id })).status, 204);
    assert.deepEqual(
      (await client.reactions.listForIssue(which)).data.map(({ content }) => content),
      ["eyes"],
    );
  });
  await step("react to a comment", async () => {
    const { data: comment } = await client.issues.createComment({ ...which, body: "Yes" });
    const own = { ...at, comment_id: comment.id };
    const { data } = await client.reactions.createForIssueComment({ ...own, content: "+1" });
    assert.equal(data.content, "+1");
    assert.equal((await client.reactions.listForIssueComment(own)).data.length, 1);
  });
  await step("422 for an unknown reaction", async () => {
    const react = () => client.reactions.createForIssue({ ...which, content: "wow" as "heart" });
    assert.equal(statusOf(await failureOf(react)), 422);
  });
}

async function people(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step("star, check and unstar a repository", async () => {
    assert.equal(statusOf(await failureOf(() => client.activity.checkRepoIsStarredByAuthenticatedUser(at))), 404);
    assert.equal((await client.activity.starRepoForAuthenticatedUser(at)).status, 204);
    assert.equal((await client.activity.checkRepoIsStarredByAuthenticatedUser(at)).status, 204);
    await client.activity.unstarRepoForAuthenticatedUser(at);
    assert.equal(statusOf(await failureOf(() => client.activity.checkRepoIsStarredByAuthenticatedUser(at))), 404);
  });
  await step("follow, check and unfollow", async () => {
    const who = { username: "hubot" };
    assert.equal((await client.users.follow(who)).status, 204);
    assert.equal((await client.users.checkPersonIsFollowedByAuthenticated(who)).status, 204);
    assert.equal((await client.users.unfollow(who)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.users.checkPersonIsFollowedByAuthenticated(who))), 404);
  });
  await step("block and unblock a person", async () => {
    const who = { username: "monalisa" };
    assert.equal((await client.users.block(who)).status, 204);
    assert.equal((await client.users.checkBlocked(who)).status, 204);
    assert.equal((await client.users.unblock(who)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.users.checkBlocked(who))), 404);
  });
  await step("add an SSH key and delete it", async () => {
    const { data: key } = await client.users.createPublicSshKeyForAuthenticatedUser({
      title: "Laptop",
      key: "ssh-rsa AAA",
    });
    assert.equal(key.title, "Laptop");
    const own = { key_id: key.id };
    assert.equal((await client.users.getPublicSshKeyForAuthenticated(own)).data.key, "ssh-rsa AAA");
    assert.equal((await client.users.deletePublicSshKeyForAuthenticated(own)).status, 204);
  });
  await step("invite and remove a collaborator", async () => {
    const who = { ...at, username: "hubot" };
    const { status } = await client.repos.addCollaborator({ ...who, permission: "push" });
    holds([201, 204].includes(status));
    assert.equal((await client.repos.removeCollaborator(who)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.repos.checkCollaborator(who))), 404);
  });
  await step("change the profile", async () => {
    const { data } = await client.users.updateAuthenticated({ bio: "Hats", location: "Rome" });
    assert.deepEqual([data.bio, data.location], ["Hats", "Rome"]);
    assert.equal((await client.users.getAuthenticated()).data.bio, "Hats");
  });
}

async function gists(client: Octokit, step: RunStep): Promise<void> {
  const { data: gist } = await client.gists.create({
    description: "Two files",
    files: { "a.txt": { content: "one" }, "b.txt": { content: "two" } },
    public: false,
  });
  const own = { gist_id: gist.id ?? "" };
  await step("a gist has its files and is not public", async () =>
    assert.deepEqual([Object.keys(gist.files ?? {}), gist.public], [["a.txt", "b.txt"], false]),
  );
  await step("star, check and unstar a gist", async () => {
    assert.equal((await client.gists.star(own)).status, 204);
    assert.equal((await client.gists.checkIsStarred(own)).status, 204);
    assert.equal((await client.gists.unstar(own)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.gists.checkIsStarred(own))), 404);
  });
  await step("comment on a gist", async () => {
    const { data } = await client.gists.createComment({ ...own, body: "Nice" });
    assert.equal((await client.gists.getComment({ ...own, comment_id: data.id })).data.body, "Nice");
    assert.deepEqual(
      (await client.gists.listComments(own)).data.map(({ body }) => body),
      ["Nice"],
    );
  });
  await step("list and delete a gist", async () => {
    holds((await client.gists.list({ per_page: 100 })).data.some(({ id }) => id === gist.id));
    assert.equal((await client.gists.delete(own)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.gists.get(own))), 404);
  });
}
