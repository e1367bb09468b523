import assert from "node:assert/strict";
import type { Octokit } from "@octokit/rest";
import { type At, connectOctokit, isGone } from "../connect-octokit.ts";
import { holds, type RunStep, type SdkSession } from "../session.ts";

/** Branches and their rules, plans, teams and members of an organization, and what people star. */
export const octokitTeams: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const { data: repository } = await client.repos.createForAuthenticatedUser({ name: "plant", private: true });
    const at = { owner: repository.owner.login, repo: repository.name };
    await branches(client, step, at);
    await releases(client, step, at);
    await reviews(client, step, at);
    await planning(client, step, at);
    await pipelines(client, step, at);
    await teams(client, step);
    await users(client, step);
  },
};

async function branches(client: Octokit, step: RunStep, at: At): Promise<void> {
  const sha = "aa218f56b14c9653891f9e74264a383fa43fefbd";
  await step("create a branch and find it", async () => {
    const { data } = await client.git.createRef({ ...at, ref: "refs/heads/topic", sha });
    assert.deepEqual([data.ref, data.object.sha], ["refs/heads/topic", sha]);
    assert.equal((await client.git.getRef({ ...at, ref: "heads/topic" })).data.object.sha, sha);
  });
  await step("rules for branches", async () => {
    const { data } = await client.repos.createRepoRuleset({
      ...at,
      name: "No force",
      target: "branch",
      enforcement: "active",
      conditions: { ref_name: { include: ["refs/heads/main"], exclude: [] } },
      rules: [{ type: "deletion" }],
    });
    assert.deepEqual([data.name, data.enforcement, data.rules], ["No force", "active", [{ type: "deletion" }]]);
    const own = { ...at, ruleset_id: data.id };
    const changed = await client.repos.updateRepoRuleset({ ...own, enforcement: "disabled" });
    assert.deepEqual([changed.data.enforcement, changed.data.name], ["disabled", "No force"]);
    holds((await client.repos.getRepoRulesets(at)).data.some(({ id }) => id === data.id));
    assert.equal((await client.repos.deleteRepoRuleset(own)).status, 204);
    await isGone(() => client.repos.getRepoRuleset(own));
  });
}

async function releases(client: Octokit, step: RunStep, at: At): Promise<void> {
  const release = async (tag_name: string, more: object = {}) =>
    (await client.repos.createRelease({ ...at, tag_name, ...more })).data;
  for (const tag of ["v2", "v3-rc", "v4"]) await release(tag);
  const first = await release("v1", { name: "One", target_commitish: "main", prerelease: false });
  await step("react to a release", async () => {
    const own = { ...at, release_id: first.id };
    const { data } = await client.reactions.createForRelease({ ...own, content: "rocket" });
    assert.equal(data.content, "rocket");
    assert.deepEqual(
      (await client.reactions.listForRelease(own)).data.map(({ id }) => id),
      [data.id],
    );
    assert.equal((await client.reactions.deleteForRelease({ ...own, reaction_id: data.id })).status, 204);
    assert.deepEqual((await client.reactions.listForRelease(own)).data, []);
  });
  await step("page through releases by an iterator", async () => {
    const tags: string[] = [];
    for await (const { data } of client.paginate.iterator(client.repos.listReleases, { ...at, per_page: 3 }))
      tags.push(...data.map(({ tag_name }) => tag_name));
    assert.deepEqual(new Set(tags), new Set(["v1", "v2", "v3-rc", "v4"]));
    assert.equal(tags.length, 4);
  });
}

async function reviews(client: Octokit, step: RunStep, at: At): Promise<void> {
  const { data: pull } = await client.pulls.create({ ...at, title: "Grow", head: "grow", base: "main", body: "More" });
  const that = { ...at, pull_number: pull.number };
  await step("change and delete a review that is pending", async () => {
    const { data: review } = await client.pulls.createReview({ ...that, body: "Hm" });
    const own = { ...that, review_id: review.id };
    assert.equal((await client.pulls.updateReview({ ...own, body: "Well" })).data.body, "Well");
    assert.equal((await client.pulls.deletePendingReview(own)).status, 200);
    await isGone(() => client.pulls.getReview(own));
  });
  await step("a closed pull request can be opened again", async () => {
    const { data: closed } = await client.pulls.update({ ...that, state: "closed" });
    assert.equal(typeof closed.closed_at, "string");
    const { data } = await client.pulls.update({ ...that, state: "open" });
    assert.deepEqual([data.state, data.closed_at], ["open", null]);
  });
}

async function planning(client: Octokit, step: RunStep, at: At): Promise<void> {
  const { data: milestone } = await client.issues.createMilestone({
    ...at,
    title: "Spring",
    description: "Sow",
    due_on: "2031-03-01T08:00:00Z",
  });
  const { data: issue } = await client.issues.create({ ...at, title: "Sow", milestone: milestone.number });
  const which = { ...at, issue_number: issue.number };
  await step("list issues by milestone, or those without one", async () => {
    const { data: other } = await client.issues.create({ ...at, title: "Wait" });
    const numbers = async (number: string) =>
      (await client.issues.listForRepo({ ...at, milestone: number })).data.map((one) => one.number);
    assert.deepEqual(await numbers(String(milestone.number)), [issue.number]);
    const without = await numbers("none");
    holds(without.includes(other.number) && !without.includes(issue.number), without.join());
  });
  await step("a label keeps its description and gets another color", async () => {
    await client.issues.createLabel({ ...at, name: "good first issue", color: "00ff00", description: "Easy" });
    const { data } = await client.issues.updateLabel({ ...at, name: "good first issue", color: "0000ff" });
    assert.deepEqual([data.description, data.color], ["Easy", "0000ff"]);
  });
  await step("remove one label of an issue", async () => {
    await client.issues.addLabels({ ...which, labels: ["seed", "soil"] });
    const { data } = await client.issues.removeLabel({ ...which, name: "seed" });
    assert.deepEqual(
      data.map(({ name }) => name),
      ["soil"],
    );
  });
  await step("comments since a time, the oldest first", async () => {
    for (const body of ["First", "Second"]) await client.issues.createComment({ ...which, body });
    const { data } = await client.issues.listComments({ ...which, since: "2020-01-01T00:00:00Z" });
    assert.deepEqual(
      data.map(({ body }) => body),
      ["First", "Second"],
    );
    assert.deepEqual((await client.issues.listComments({ ...which, since: "2099-01-01T00:00:00Z" })).data, []);
  });
}

async function pipelines(client: Octokit, step: RunStep, at: At): Promise<void> {
  await step("variables and secrets of an environment", async () => {
    const environment = { ...at, environment_name: "live" };
    await client.repos.createOrUpdateEnvironment({ ...environment, wait_timer: 30 });
    await client.actions.createEnvironmentVariable({ ...environment, name: "CITY", value: "Rome" });
    await client.actions.updateEnvironmentVariable({ ...environment, name: "CITY", value: "Oslo" });
    const { data } = await client.actions.getEnvironmentVariable({ ...environment, name: "CITY" });
    assert.equal(data.value, "Oslo");
    const secret = { ...environment, secret_name: "KEY" };
    await client.actions.createOrUpdateEnvironmentSecret({ ...secret, encrypted_value: "c2VjcmV0", key_id: "1" });
    assert.deepEqual(
      (await client.actions.listEnvironmentSecrets(environment)).data.secrets.map(({ name }) => name),
      ["KEY"],
    );
    await client.actions.deleteEnvironmentSecret(secret);
    await isGone(() => client.actions.getEnvironmentSecret(secret));
    await client.repos.deleteAnEnvironment(environment);
    await isGone(() => client.repos.getEnvironment(environment));
  });
  await step("a secret for updates", async () => {
    const secret = { ...at, secret_name: "NPM" };
    await client.dependabot.createOrUpdateRepoSecret({ ...secret, encrypted_value: "c2VjcmV0", key_id: "1" });
    assert.equal((await client.dependabot.getRepoSecret(secret)).data.name, "NPM");
    assert.equal((await client.dependabot.deleteRepoSecret(secret)).status, 204);
    await isGone(() => client.dependabot.getRepoSecret(secret));
  });
  await step("draft an advisory and publish it", async () => {
    const { data } = await client.securityAdvisories.createRepositoryAdvisory({
      ...at,
      summary: "Thorns",
      description: "They prick.",
      severity: "high",
      vulnerabilities: [{ package: { ecosystem: "npm", name: "rose" } }],
    });
    assert.deepEqual([data.summary, data.severity], ["Thorns", "high"]);
    const own = { ...at, ghsa_id: data.ghsa_id };
    const { data: changed } = await client.securityAdvisories.updateRepositoryAdvisory({ ...own, state: "published" });
    assert.deepEqual([changed.state, changed.summary], ["published", "Thorns"]);
    const { data: all } = await client.securityAdvisories.listRepositoryAdvisories({ ...at, state: "published" });
    assert.deepEqual(
      all.map(({ ghsa_id }) => ghsa_id),
      [data.ghsa_id],
    );
  });
}

async function teams(client: Octokit, step: RunStep): Promise<void> {
  const org = "garden";
  const { data: team } = await client.teams.create({ org, name: "Tree Care", description: "Trees", privacy: "closed" });
  const own = { org, team_slug: team.slug };
  await step("change a team", async () => {
    const { data } = await client.teams.updateInOrg({ ...own, description: "Bushes" });
    assert.deepEqual([data.description, data.name], ["Bushes", "Tree Care"]);
  });
  await step("delete a team", async () => {
    assert.equal((await client.teams.deleteInOrg(own)).status, 204);
    await isGone(() => client.teams.getByName(own));
  });
  await step("a webhook of an organization", async () => {
    const config = { url: "https://example.org/hook", content_type: "json" };
    const { data } = await client.orgs.createWebhook({ org, name: "web", config, events: ["push"] });
    assert.deepEqual([data.config.url, data.events], ["https://example.org/hook", ["push"]]);
    const that = { org, hook_id: data.id };
    assert.equal((await client.orgs.updateWebhook({ ...that, active: false })).data.active, false);
    assert.equal((await client.orgs.deleteWebhook(that)).status, 204);
    await isGone(() => client.orgs.getWebhook(that));
  });
  await step("block a person for an organization", async () => {
    const who = { org, username: "troll" };
    assert.equal((await client.orgs.blockUser(who)).status, 204);
    assert.equal((await client.orgs.checkBlockedUser(who)).status, 204);
    holds((await client.orgs.listBlockedUsers({ org })).data.some(({ login }) => login === "troll"));
    assert.equal((await client.orgs.unblockUser(who)).status, 204);
    await isGone(() => client.orgs.checkBlockedUser(who));
  });
}

async function users(client: Octokit, step: RunStep): Promise<void> {
  await step("repositories that were starred", async () => {
    const { data: repository } = await client.repos.createForAuthenticatedUser({ name: "starry" });
    const at = { owner: repository.owner.login, repo: repository.name };
    await client.activity.starRepoForAuthenticatedUser(at);
    const { data } = await client.activity.listReposStarredByAuthenticatedUser({ per_page: 100 });
    holds(data.some((one) => "name" in one && one.name === "starry"));
  });
  await step("repositories by name, downwards", async () => {
    const { data } = await client.repos.listForAuthenticatedUser({ sort: "full_name", direction: "desc" });
    const names = data.map(({ full_name }) => full_name);
    assert.deepEqual(names, names.toSorted().toReversed());
  });
  await step("gists that were starred", async () => {
    const { data } = await client.gists.create({ files: { "s.txt": { content: "s" } } });
    await client.gists.star({ gist_id: data.id ?? "" });
    holds((await client.gists.listStarred({ per_page: 100 })).data.some(({ id }) => id === data.id));
  });
}
