import assert from "node:assert/strict";
import { connectOctokit } from "../connect-octokit.ts";
import { failureOf, holds, made, type SdkSession } from "../session.ts";

/** Issues with labels, releases, branches, files and hooks, as tools for maintainers use them. */
export const octokitReleases: SdkSession = {
  sdk: "@octokit/rest",
  document: "github",
  async run(url, step) {
    const client = connectOctokit(url);
    const { data: repository } = await client.repos.createForAuthenticatedUser({ name: "tools", private: true });
    const at = { owner: repository.owner.login, repo: repository.name };
    const { data: issue } = await client.issues.create({
      ...at,
      title: "Slow",
      labels: ["bug", "slow"],
      assignees: ["octocat"],
    });
    const which = { ...at, issue_number: issue.number };
    const nameOf = (label: string | { name?: string }) => (typeof label === "string" ? label : label.name);
    await step("labels of a new issue", async () => {
      assert.deepEqual((await client.issues.get(which)).data.labels.map(nameOf), ["bug", "slow"]);
    });
    await step("add labels to an issue", async () => {
      const { data } = await client.issues.addLabels({ ...which, labels: ["later"] });
      holds(
        data.some(({ name }) => name === "later"),
        JSON.stringify(data).slice(0, 80),
      );
    });
    await step("list issues by label", async () => {
      await client.issues.create({ ...at, title: "Other", labels: ["question"] });
      const { data } = await client.issues.listForRepo({ ...at, labels: "bug" });
      const titles = data.map(({ title }) => title);
      holds(titles.includes("Slow") && !titles.includes("Other"), titles.join());
    });
    await step("close an issue with a reason", async () => {
      const { data } = await client.issues.update({ ...which, state: "closed", state_reason: "not_planned" });
      assert.deepEqual([data.state, data.state_reason], ["closed", "not_planned"]);
    });
    await step("lock and unlock an issue", async () => {
      assert.equal((await client.issues.lock({ ...which, lock_reason: "resolved" })).status, 204);
      assert.equal((await client.issues.unlock(which)).status, 204);
    });
    const release = await step(
      "create a release",
      async () =>
        (await client.repos.createRelease({ ...at, tag_name: "v1.0.0", name: "First", body: "Notes", draft: true }))
          .data,
      (one) => assert.deepEqual([one.tag_name, one.name, one.body, one.draft], ["v1.0.0", "First", "Notes", true]),
    );
    await step("publish a release", async () => {
      const { data } = await client.repos.updateRelease({ ...at, release_id: made(release).id, draft: false });
      assert.deepEqual([data.draft, data.name], [false, "First"]);
    });
    await step("get a release by its tag, and the latest", async () => {
      assert.equal((await client.repos.getReleaseByTag({ ...at, tag: "v1.0.0" })).data.id, made(release).id);
    });
    await step("list and delete releases", async () => {
      const { data } = await client.repos.listReleases({ ...at, per_page: 100 });
      holds(data.some(({ id }) => id === made(release).id));
      await client.repos.deleteRelease({ ...at, release_id: made(release).id });
      const failure = await failureOf(() => client.repos.getRelease({ ...at, release_id: made(release).id }));
      holds(failure instanceof Error && "status" in failure && failure.status === 404);
    });
    await step("create, ping and delete a webhook", async () => {
      const { data } = await client.repos.createWebhook({
        ...at,
        config: { url: "https://example.org/hook", content_type: "json" },
        events: ["push"],
      });
      assert.deepEqual([data.config.url, data.events, data.active], ["https://example.org/hook", ["push"], true]);
      assert.equal((await client.repos.pingWebhook({ ...at, hook_id: data.id })).status, 204);
      assert.equal((await client.repos.deleteWebhook({ ...at, hook_id: data.id })).status, 204);
    });
    await step("close a milestone and list the closed ones", async () => {
      const { data } = await client.issues.createMilestone({ ...at, title: "v2", due_on: "2030-01-01T00:00:00Z" });
      await client.issues.updateMilestone({ ...at, milestone_number: data.number, state: "closed" });
      const closed = (await client.issues.listMilestones({ ...at, state: "closed" })).data;
      holds(closed.some(({ title }) => title === "v2") && closed.every(({ state }) => state === "closed"));
    });
    await step("review and merge a pull request", async () => {
      const { data: pull } = await client.pulls.create({ ...at, title: "Fix", head: "fix", base: "main" });
      assert.deepEqual([pull.head.ref, pull.base.ref, pull.merged], ["fix", "main", false]);
      const that = { ...at, pull_number: pull.number };
      const { data: review } = await client.pulls.createReview({ ...that, event: "APPROVE", body: "Good" });
      assert.equal(review.body, "Good");
      holds((await client.pulls.listReviews(that)).data.some(({ id }) => id === review.id));
      assert.equal((await client.pulls.merge(that)).data.merged, true);
    });
    await step("star and update a gist", async () => {
      const { data: gist } = await client.gists.create({ files: { "a.txt": { content: "one" } }, public: true });
      assert.equal(gist.files?.["a.txt"]?.content, "one");
      const changed = await client.gists.update({ gist_id: made(gist.id), description: "Two" });
      assert.deepEqual([changed.data.description, changed.data.files?.["a.txt"]?.content], ["Two", "one"]);
    });
    await step("create a deploy key and an environment's variable", async () => {
      const { data: key } = await client.repos.createDeployKey({
        ...at,
        title: "ci",
        key: "ssh-ed25519 AAAA",
        read_only: true,
      });
      assert.deepEqual([key.title, key.read_only], ["ci", true]);
      assert.equal((await client.repos.getDeployKey({ ...at, key_id: key.id })).data.title, "ci");
      await client.actions.createRepoVariable({ ...at, name: "REGION", value: "eu" });
      assert.equal((await client.actions.getRepoVariable({ ...at, name: "REGION" })).data.value, "eu");
    });
    await step("read the profile and search repositories", async () => {
      assert.equal(typeof (await client.users.getAuthenticated()).data.login, "string");
      const { data } = await client.search.repos({ q: "tools" });
      assert.equal(typeof data.total_count, "number");
    });
    await step("list the events of an issue until the end", async () => {
      const all = await client.paginate(client.issues.listEvents, { ...which, per_page: 2 });
      holds(all.length < 100);
    });
  },
};
