import assert from "node:assert/strict";
import { connectOctokit } from "../connect-octokit.ts";
import { failureOf, holds, type SdkSession } from "../session.ts";

/** Issues as a bot that sorts them sees them: by state, by age, with assignees and milestones. */
export const octokitIssues: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const { data: repository } = await client.repos.createForAuthenticatedUser({ name: "work" });
    const at = { owner: repository.owner.login, repo: repository.name };
    const { data: milestone } = await client.issues.createMilestone({ ...at, title: "v1" });
    const { data: issue } = await client.issues.create({
      ...at,
      title: "Broken",
      assignees: ["hubot"],
      milestone: milestone.number,
    });
    const which = { ...at, issue_number: issue.number };
    await step("an issue has its assignee and the number of its milestone", async () => {
      const { data } = await client.issues.get(which);
      assert.deepEqual(
        [data.assignees?.map(({ login }) => login), data.milestone?.number],
        [["hubot"], milestone.number],
      );
    });
    await step("closing an issue sets the time, and opening it takes that back", async () => {
      const { data: closed } = await client.issues.update({ ...which, state: "closed", state_reason: "not_planned" });
      assert.deepEqual([closed.state_reason, typeof closed.closed_at], ["not_planned", "string"]);
      assert.equal((await client.issues.update({ ...which, state: "open" })).data.closed_at, null);
    });
    await step("a list has open issues alone, the newest first", async () => {
      for (const title of ["One", "Two", "Three"]) await client.issues.create({ ...at, title });
      const { data: shut } = await client.issues.create({ ...at, title: "Shut" });
      await client.issues.update({ ...at, issue_number: shut.number, state: "closed" });
      const { data } = await client.issues.listForRepo(at);
      holds(data.every(({ state }) => state === "open"));
      assert.deepEqual(
        data.slice(0, 3).map(({ title }) => title),
        ["Three", "Two", "One"],
      );
    });
    await step("sort by the number of an issue", async () => {
      const { data } = await client.issues.listForRepo({ ...at, sort: "created", direction: "asc", state: "all" });
      const numbers = data.map(({ number }) => number);
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
    });
    await step("nothing has changed since a time to come", async () => {
      assert.deepEqual((await client.issues.listForRepo({ ...at, since: "2099-01-01T00:00:00Z" })).data, []);
    });
    await step("set, list and remove labels", async () => {
      await client.issues.setLabels({ ...which, labels: ["late"] });
      const { data } = await client.issues.listLabelsOnIssue(which);
      assert.deepEqual(
        data.map(({ name }) => name),
        ["late"],
      );
      await client.issues.removeAllLabels(which);
      assert.deepEqual((await client.issues.get(which)).data.labels, []);
    });
    await step("page through all issues", async () => {
      const all = await client.paginate(client.issues.listForRepo, { ...at, state: "all", per_page: 2 });
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      holds(["Broken", "Shut", "Three"].every((wanted) => all.some(({ title }) => title === wanted)));
    });
    await step("a closed pull request is in no list of open ones", async () => {
      const { data: pull } = await client.pulls.create({ ...at, title: "Change", head: "topic", base: "main" });
      await client.pulls.update({ ...at, pull_number: pull.number, state: "closed" });
      const numbers = async (state?: "closed") =>
        (await client.pulls.list({ ...at, ...(state && { state }) })).data.map(({ number }) => number);
      holds(!(await numbers()).includes(pull.number) && (await numbers("closed")).includes(pull.number));
    });
    await step("close, list and delete a milestone", async () => {
      const number = { ...at, milestone_number: milestone.number };
      await client.issues.updateMilestone({ ...number, state: "closed" });
      const { data } = await client.issues.listMilestones({ ...at, state: "closed" });
      holds(data.some(({ title }) => title === "v1"));
      assert.equal((await client.issues.deleteMilestone(number)).status, 204);
      holds((await failureOf(() => client.issues.getMilestone(number))) instanceof Error);
    });
  },
};
