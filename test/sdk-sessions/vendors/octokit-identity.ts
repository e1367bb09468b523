import assert from "node:assert/strict";
import type { Octokit } from "@octokit/rest";
import { type At, connectOctokit, statusOf } from "../connect-octokit.ts";
import { failureOf, holds, made, type RunStep, type SdkSession } from "../session.ts";

/** The same names and numbers in two repositories, and one repository at several addresses. */
export const octokitIdentity: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const one = await repository(client, "north");
    const other = await repository(client, "south");
    await labels(client, step, one, other);
    await numbers(client, step, one, other);
    await names(client, step, one, other);
    await organisations(client, step, one);
  },
};

async function repository(client: Octokit, name: string): Promise<At> {
  const { data } = await client.repos.createForAuthenticatedUser({ name });
  return { owner: data.owner.login, repo: data.name };
}

async function labels(client: Octokit, step: RunStep, one: At, other: At): Promise<void> {
  const name = "bug";
  await step("a new repository has no labels", async () => {
    assert.deepEqual((await client.issues.listLabelsForRepo(one)).data, []);
  });
  await step("two repositories have a label of the same name", async () => {
    const { data: first } = await client.issues.createLabel({ ...one, name, color: "ff0000" });
    const { data: second } = await client.issues.createLabel({ ...other, name, color: "0000ff" });
    assert.notEqual(first.id, second.id);
    const colors = [one, other].map(async (at) => (await client.issues.getLabel({ ...at, name })).data.color);
    assert.deepEqual(await Promise.all(colors), ["ff0000", "0000ff"]);
  });
  await step("a repository has a label once", async () => {
    const thrown = await failureOf(() => client.issues.createLabel({ ...one, name }));
    holds([409, 422].includes(Number(statusOf(thrown))));
  });
  await step("a label changes in its own repository alone", async () => {
    await client.issues.updateLabel({ ...one, name, color: "00ff00" });
    assert.equal((await client.issues.getLabel({ ...other, name })).data.color, "0000ff");
  });
  await step("a renamed label is found by its new name", async () => {
    const { data } = await client.issues.updateLabel({ ...one, name, new_name: "defect" });
    assert.deepEqual([data.name, data.color], ["defect", "00ff00"]);
    assert.equal((await client.issues.getLabel({ ...one, name: "defect" })).data.id, data.id);
    assert.equal(statusOf(await failureOf(() => client.issues.getLabel({ ...one, name }))), 404);
  });
  await step("an issue has the label of its repository", async () => {
    const { data: issue } = await client.issues.create({ ...other, title: "Broken" });
    const { data } = await client.issues.addLabels({ ...other, issue_number: issue.number, labels: [name] });
    assert.deepEqual(
      data.map(({ name, color }) => [name, color]),
      [[name, "0000ff"]],
    );
  });
  await step("lists have the labels of one repository", async () => {
    const namesOf = async (at: At) => (await client.issues.listLabelsForRepo(at)).data.map((label) => label.name);
    assert.deepEqual([await namesOf(one), await namesOf(other)], [["defect"], [name]]);
  });
  await step("a deleted label stays in the other repository", async () => {
    await client.issues.createLabel({ ...one, name });
    await client.issues.deleteLabel({ ...one, name });
    assert.equal((await client.issues.getLabel({ ...other, name })).status, 200);
  });
}

async function numbers(client: Octokit, step: RunStep, one: At, other: At): Promise<void> {
  const third = await repository(client, "west");
  await step("each repository counts its issues from 1", async () => {
    const numberIn = async (at: At) => (await client.issues.create({ ...at, title: at.repo })).data.number;
    assert.deepEqual([await numberIn(one), await numberIn(third), await numberIn(one)], [1, 1, 2]);
  });
  await step("issue 1 is another one in each repository", async () => {
    const [first, second] = await Promise.all(
      [one, third].map(async (at) => (await client.issues.get({ ...at, issue_number: 1 })).data),
    );
    assert.deepEqual([first?.title, second?.title], [one.repo, third.repo]);
    assert.notEqual(first?.id, second?.id);
  });
  await step("issues made at once have numbers of their own", async () => {
    const made = await Promise.all(
      ["a", "b", "c", "d"].map(async (title) => (await client.issues.create({ ...third, title })).data.number),
    );
    assert.deepEqual(
      made.toSorted((a, b) => a - b),
      [2, 3, 4, 5],
    );
  });
  await step("an issue is closed in one repository", async () => {
    await client.issues.update({ ...one, issue_number: 1, state: "closed" });
    assert.equal((await client.issues.get({ ...third, issue_number: 1 })).data.state, "open");
  });
  await step("comments belong to the issue of one repository", async () => {
    await client.issues.createComment({ ...one, issue_number: 1, body: "Here" });
    const bodies = async (at: At) =>
      (await client.issues.listComments({ ...at, issue_number: 1 })).data.map(({ body }) => body);
    assert.deepEqual([await bodies(one), await bodies(third)], [["Here"], []]);
  });
  await step("there are no comments on an issue of another repository", async () => {
    const missing = { ...other, issue_number: 5, body: "Where?" };
    assert.equal(statusOf(await failureOf(() => client.issues.createComment(missing))), 404);
  });
  await step("each repository counts its milestones from 1", async () => {
    const numberIn = async (at: At, title: string) =>
      (await client.issues.createMilestone({ ...at, title })).data.number;
    assert.deepEqual([await numberIn(one, "v1"), await numberIn(other, "v1"), await numberIn(one, "v2")], [1, 1, 2]);
    await client.issues.deleteMilestone({ ...one, milestone_number: 1 });
    assert.equal((await client.issues.getMilestone({ ...other, milestone_number: 1 })).data.title, "v1");
  });
  await step("each repository counts its pull requests from 1", async () => {
    const open = async (at: At) =>
      (await client.pulls.create({ ...at, title: at.repo, head: "topic", base: "main" })).data.number;
    assert.equal(await open(one), await open(other));
    const titles = [one, other].map(async (at) => (await client.pulls.get({ ...at, pull_number: 1 })).data.title);
    assert.deepEqual(await Promise.all(titles), [one.repo, other.repo]);
  });
}

async function names(client: Octokit, step: RunStep, one: At, other: At): Promise<void> {
  const name = "STAGE";
  await step("two repositories have a variable of the same name", async () => {
    await client.actions.createRepoVariable({ ...one, name, value: "1" });
    await client.actions.createRepoVariable({ ...other, name, value: "2" });
    await client.actions.updateRepoVariable({ ...one, name, value: "3" });
    const values = [one, other].map(async (at) => (await client.actions.getRepoVariable({ ...at, name })).data.value);
    assert.deepEqual(await Promise.all(values), ["3", "2"]);
  });
  await step("two repositories have a secret of the same name", async () => {
    const secret = { secret_name: "TOKEN", encrypted_value: "c2VjcmV0", key_id: "1" };
    for (const at of [one, other]) await client.actions.createOrUpdateRepoSecret({ ...at, ...secret });
    await client.actions.deleteRepoSecret({ ...one, secret_name: "TOKEN" });
    const gone = await failureOf(() => client.actions.getRepoSecret({ ...one, secret_name: "TOKEN" }));
    assert.equal(statusOf(gone), 404);
    assert.equal((await client.actions.getRepoSecret({ ...other, secret_name: "TOKEN" })).data.name, "TOKEN");
  });
  await step("two repositories have an environment of the same name", async () => {
    for (const at of [one, other]) {
      await client.repos.createOrUpdateEnvironment({ ...at, environment_name: "live" });
      await client.repos.createOrUpdateEnvironment({ ...at, environment_name: "live" });
      const { data } = await client.repos.getAllEnvironments(at);
      assert.deepEqual(
        data.environments?.map((environment) => environment.name),
        ["live"],
      );
    }
  });
  await step("two repositories have a collaborator of the same name", async () => {
    for (const at of [one, other]) await client.repos.addCollaborator({ ...at, username: "hubot" });
    await client.repos.removeCollaborator({ ...one, username: "hubot" });
    const loginsIn = async (at: At) => (await client.repos.listCollaborators(at)).data.map(({ login }) => login);
    assert.deepEqual([await loginsIn(one), await loginsIn(other)], [[], ["hubot"]]);
  });
}

async function organisations(client: Octokit, step: RunStep, one: At): Promise<void> {
  const repository = await step("create a repository of an organization", async () => {
    const { data } = await client.repos.createInOrg({ org: "acme", name: "engine" });
    assert.deepEqual([data.name, data.owner.login], ["engine", "acme"]);
    return data;
  });
  await step("it is found by its owner and name", async () => {
    const { data } = await client.repos.get({ owner: "acme", repo: "engine" });
    assert.equal(data.id, made(repository).id);
  });
  await step("it is in the list of its organization, and in no other", async () => {
    const namesIn = async (org: string) => (await client.repos.listForOrg({ org })).data.map(({ name }) => name);
    assert.deepEqual([await namesIn("acme"), await namesIn("umbrella")], [["engine"], []]);
  });
  await step("it is in the list of one's repositories", async () => {
    const all = await client.paginate(client.repos.listForAuthenticatedUser, { per_page: 100 });
    holds(all.some(({ id }) => id === made(repository).id));
  });
  await step("a repository is in the list of its owner", async () => {
    const { data } = await client.repos.listForUser({ username: one.owner, per_page: 100 });
    holds(data.some(({ name }) => name === one.repo) && data.every(({ owner }) => owner.login === one.owner));
  });
  await step("a change is in every list", async () => {
    await client.repos.update({ owner: "acme", repo: "engine", description: "Turns" });
    const { data } = await client.repos.listForOrg({ org: "acme" });
    assert.deepEqual(
      data.map(({ description }) => description),
      ["Turns"],
    );
  });
  await step("a deleted repository is in no list", async () => {
    await client.repos.delete({ owner: "acme", repo: "engine" });
    assert.deepEqual((await client.repos.listForOrg({ org: "acme" })).data, []);
  });
}
