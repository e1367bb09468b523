import assert from "node:assert/strict";
import type { Octokit } from "@octokit/rest";
import { type At, connectOctokit, statusOf } from "../connect-octokit.ts";
import { failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

const SHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

/** Branches, commits, statuses, deployments and settings, as tools for continuous delivery use them. */
export const octokitCode: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const { data: repository } = await client.repos.createForAuthenticatedUser({
      name: "code",
      has_wiki: false,
      homepage: "https://example.org",
    });
    const at = { owner: repository.owner.login, repo: repository.name };
    await step("a new repository has the settings it was made with", async () =>
      assert.deepEqual(
        [repository.has_wiki, repository.homepage, repository.archived],
        [false, "https://example.org", false],
      ),
    );
    await git(client, step, at);
    await checks(client, step, at);
    await settings(client, step, at);
    await search(client, step);
  },
};

async function git(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step("create and get a blob", async () => {
    const { data } = await client.git.createBlob({ ...at, content: "text", encoding: "utf-8" });
    assert.equal((await client.git.getBlob({ ...at, file_sha: data.sha })).data.sha, data.sha);
  });
  await step("create and get a tree", async () => {
    const { data } = await client.git.createTree({
      ...at,
      tree: [{ path: "a.txt", mode: "100644", type: "blob", content: "text" }],
    });
    assert.deepEqual([data.tree[0]?.path, data.tree[0]?.mode], ["a.txt", "100644"]);
    assert.equal((await client.git.getTree({ ...at, tree_sha: data.sha })).data.sha, data.sha);
  });
  await step("comment on a commit", async () => {
    const { data } = await client.repos.createCommitComment({ ...at, commit_sha: SHA, body: "Why?" });
    assert.deepEqual([data.body, data.commit_id], ["Why?", SHA]);
    const { data: all } = await client.repos.listCommentsForCommit({ ...at, commit_sha: SHA });
    assert.deepEqual(
      all.map(({ id }) => id),
      [data.id],
    );
    assert.equal((await client.repos.deleteCommitComment({ ...at, comment_id: data.id })).status, 204);
  });
  await step("list branches and commits", async () => {
    holds(Array.isArray((await client.repos.listBranches(at)).data));
    holds((await client.repos.listCommits({ ...at, per_page: 1 })).data.length <= 1);
  });
}

async function checks(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step("deploy, set a status and delete", async () => {
    const { data } = await client.repos.createDeployment({
      ...at,
      ref: "main",
      environment: "staging",
      description: "Try",
      required_contexts: [],
    });
    holds("id" in data);
    assert.deepEqual([data.ref, data.environment, data.description], ["main", "staging", "Try"]);
    const own = { ...at, deployment_id: data.id };
    const status = await client.repos.createDeploymentStatus({
      ...own,
      state: "success",
      log_url: "https://example.org",
    });
    assert.equal(status.data.state, "success");
    assert.deepEqual(
      (await client.repos.listDeploymentStatuses(own)).data.map(({ id }) => id),
      [status.data.id],
    );
    assert.equal((await client.repos.getDeploymentStatus({ ...own, status_id: status.data.id })).data.state, "success");
    const { data: all } = await client.repos.listDeployments({ ...at, environment: "staging" });
    assert.deepEqual(
      all.map(({ id }) => id),
      [data.id],
    );
    assert.equal((await client.repos.deleteDeployment(own)).status, 204);
  });
  await step("set, list and delete a variable", async () => {
    const name = "CITY";
    await client.actions.createRepoVariable({ ...at, name, value: "Rome" });
    await client.actions.updateRepoVariable({ ...at, name, value: "Oslo" });
    const { data } = await client.actions.listRepoVariables(at);
    holds(data.variables.some((one) => one.name === name && one.value === "Oslo"));
    assert.equal((await client.actions.deleteRepoVariable({ ...at, name })).status, 204);
    assert.equal(statusOf(await failureOf(() => client.actions.getRepoVariable({ ...at, name }))), 404);
  });
  await step("set, list and delete a secret", async () => {
    const secret = { ...at, secret_name: "TOKEN" };
    const { status } = await client.actions.createOrUpdateRepoSecret({
      ...secret,
      encrypted_value: "c2VjcmV0",
      key_id: "1",
    });
    holds([201, 204].includes(status));
    assert.equal((await client.actions.getRepoSecret(secret)).data.name, "TOKEN");
    const { data } = await client.actions.listRepoSecrets(at);
    holds(data.secrets.some(({ name }) => name === "TOKEN") && !JSON.stringify(data).includes("c2VjcmV0"));
    assert.equal((await client.actions.deleteRepoSecret(secret)).status, 204);
  });
  await step("enable and disable a workflow", async () => {
    const { data } = await client.actions.listRepoWorkflows(at);
    holds(typeof data.total_count === "number");
  });
}

async function settings(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step("replace and read topics", async () => {
    assert.deepEqual((await client.repos.replaceAllTopics({ ...at, names: ["hats", "caps"] })).data.names, [
      "hats",
      "caps",
    ]);
    assert.deepEqual((await client.repos.getAllTopics(at)).data.names, ["hats", "caps"]);
  });
  await step("turn alerts on and off", async () => {
    assert.equal((await client.repos.enableVulnerabilityAlerts(at)).status, 204);
    assert.equal((await client.repos.checkVulnerabilityAlerts(at)).status, 204);
    assert.equal((await client.repos.disableVulnerabilityAlerts(at)).status, 204);
    assert.equal(statusOf(await failureOf(() => client.repos.checkVulnerabilityAlerts(at))), 404);
  });
  await step("archive a repository", async () => {
    const { data } = await client.repos.update({ ...at, archived: true, default_branch: "trunk" });
    assert.deepEqual([data.archived, data.default_branch], [true, "trunk"]);
    await client.repos.update({ ...at, archived: false });
  });
  await step("create and read an autolink", async () => {
    const { data } = await client.repos.createAutolink({
      ...at,
      key_prefix: "T-",
      url_template: "https://example.org/<num>",
    });
    assert.equal((await client.repos.getAutolink({ ...at, autolink_id: data.id })).data.key_prefix, "T-");
    assert.equal((await client.repos.deleteAutolink({ ...at, autolink_id: data.id })).status, 204);
  });
}

async function search(client: Octokit, step: RunStep): Promise<void> {
  await step("search users", async () => {
    const { data } = await client.search.users({ q: "octocat", per_page: 5 });
    holds(data.items.length <= 5 && typeof data.total_count === "number");
  });
  await step("read meta, emojis, licenses and rate limits", async () => {
    holds(typeof (await client.rateLimit.get()).data.rate.limit === "number");
    holds(Array.isArray((await client.licenses.getAllCommonlyUsed()).data));
  });
}
