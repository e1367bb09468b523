import assert from "node:assert/strict";
import OpenAI, { toFile } from "openai";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

const MODEL = "gpt-4o";
const messages = [{ role: "user" as const, content: "Hello" }];

/** Conversations, stored chats, filters of lists, and who may use a project. */
export const openaiProjects: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", adminAPIKey: "sk-admin-1", maxRetries: 0 });
    await responses(client, step);
    await chats(client, step);
    await files(client, step);
    await threads(client, step);
    await jobs(client, step);
    await organization(client, step);
    await errors(client, step);
  },
};

async function isGone(work: () => Promise<unknown>): Promise<void> {
  const thrown = await failureOf(work);
  holds(thrown instanceof OpenAI.NotFoundError, String(thrown));
}

async function responses(client: OpenAI, step: RunStep): Promise<void> {
  await step("the items of a conversation", async () => {
    const { id } = await client.conversations.create({ items: [{ type: "message", role: "user", content: "One" }] });
    const first = await collect(client.conversations.items.list(id));
    assert.equal(first.length, 1);
    holds(JSON.stringify(first).includes("One"));
    const { data } = await client.conversations.items.create(id, {
      items: [{ type: "message", role: "user", content: "Two" }],
    });
    holds(JSON.stringify(data).includes("Two"));
    assert.equal((await collect(client.conversations.items.list(id, { limit: 1 }))).length, 2);
    const own = { conversation_id: id };
    assert.equal((await client.conversations.items.retrieve(first[0]?.id ?? "", own)).id, first[0]?.id);
    await client.conversations.items.delete(first[0]?.id ?? "", own);
    await isGone(() => client.conversations.items.retrieve(first[0]?.id ?? "", own));
  });
}

async function chats(client: OpenAI, step: RunStep): Promise<void> {
  const { completions } = client.chat;
  await step("a stored chat is listed by its metadata", async () => {
    const { id } = await completions.create({ model: MODEL, messages, store: true, metadata: { run: "42" } });
    const all = await collect(completions.list({ metadata: { run: "42" } }));
    assert.deepEqual(
      all.map((one) => one.id),
      [id],
    );
  });
  await step("a deleted chat is gone", async () => {
    const { id } = await completions.create({ model: MODEL, messages, store: true });
    assert.deepEqual(await completions.delete(id), { id, object: "chat.completion.deleted", deleted: true });
    await isGone(() => completions.retrieve(id));
  });
}

async function files(client: OpenAI, step: RunStep): Promise<void> {
  const upload = async (name: string) =>
    client.files.create({ file: await toFile(Buffer.from(name), name), purpose: "user_data" });
  const first = await upload("1.txt");
  await step("the files of a vector store by their status", async () => {
    const store = await client.vectorStores.create({ name: "One", file_ids: [first.id] });
    const [held] = await collect(client.vectorStores.files.list(store.id));
    const filter = held?.status === "completed" ? "completed" : "in_progress";
    assert.equal((await collect(client.vectorStores.files.list(store.id, { filter }))).length, 1);
    assert.deepEqual(await collect(client.vectorStores.files.list(store.id, { filter: "failed" })), []);
  });
}

async function threads(client: OpenAI, step: RunStep): Promise<void> {
  const { threads: api, assistants } = client.beta;
  await step("an assistant loses and gains tools", async () => {
    const { id } = await assistants.create({ model: MODEL, tools: [{ type: "code_interpreter" }], top_p: 0.5 });
    const changed = await assistants.update(id, { tools: [], metadata: { a: "b" }, description: "Plain" });
    assert.deepEqual(
      [changed.tools, changed.metadata, changed.description, changed.top_p],
      [[], { a: "b" }, "Plain", 0.5],
    );
    await assistants.delete(id);
    await isGone(() => assistants.retrieve(id));
  });
  await step("messages before and after another", async () => {
    const { id } = await api.create();
    const ids: string[] = [];
    for (const content of ["a", "b", "c", "d"]) ids.push((await api.messages.create(id, { role: "user", content })).id);
    const after = (await api.messages.list(id, { order: "asc", after: ids[1] ?? "" })).data;
    assert.deepEqual(
      after.map((one) => one.id),
      ids.slice(2),
    );
    const before = (await api.messages.list(id, { order: "asc", before: ids[2] ?? "" })).data;
    assert.deepEqual(
      before.map((one) => one.id),
      ids.slice(0, 2),
    );
  });
  await step("a message of several parts", async () => {
    const { id } = await api.create();
    const message = await api.messages.create(id, {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      ],
    });
    assert.deepEqual(
      message.content.map(({ type }) => type),
      ["text", "image_url"],
    );
  });
}

async function jobs(client: OpenAI, step: RunStep): Promise<void> {
  await step("fine-tuning jobs by metadata", async () => {
    const { id } = await client.fineTuning.jobs.create({ model: MODEL, training_file: "f", metadata: { team: "q" } });
    const all = await collect(client.fineTuning.jobs.list({ metadata: { team: "q" } }));
    assert.deepEqual(
      all.map((one) => one.id),
      [id],
    );
  });
  await step("a skill is uploaded, and deleted", async () => {
    const skill = await client.skills.create({ files: [await toFile(Buffer.from("# Hat"), "SKILL.md")] });
    assert.equal((await client.skills.retrieve(skill.id)).id, skill.id);
    assert.equal((await client.skills.delete(skill.id)).deleted, true);
    await isGone(() => client.skills.retrieve(skill.id));
  });
}

async function organization(client: OpenAI, step: RunStep): Promise<void> {
  const { organization: api } = client.admin;
  const project = await api.projects.create({ name: "Hats" });
  await step("archived projects are listed on demand", async () => {
    const { id } = await api.projects.create({ name: "Old" });
    await api.projects.archive(id);
    const ids = async (include_archived: boolean) =>
      (await collect(api.projects.list({ include_archived }))).map((one) => one.id);
    assert.deepEqual([(await ids(false)).includes(id), (await ids(true)).includes(id)], [false, true]);
  });
  await step("invite a person, and take it back", async () => {
    const invite = await api.invites.create({ email: "ada@example.org", role: "reader" });
    assert.deepEqual([invite.email, invite.role, invite.status], ["ada@example.org", "reader", "pending"]);
    holds((await collect(api.invites.list())).some(({ id }) => id === invite.id));
    assert.equal((await api.invites.delete(invite.id)).deleted, true);
    await isGone(() => api.invites.retrieve(invite.id));
  });
  await step("a service account of a project", async () => {
    const account = await api.projects.serviceAccounts.create(project.id, { name: "Robot" });
    assert.equal(account.name, "Robot");
    const all = await collect(api.projects.serviceAccounts.list(project.id));
    assert.deepEqual(
      all.map(({ id }) => id),
      [account.id],
    );
    const own = { project_id: project.id };
    assert.equal((await api.projects.serviceAccounts.delete(account.id, own)).deleted, true);
    await isGone(() => api.projects.serviceAccounts.retrieve(account.id, own));
  });
  await step("a user of a project gets another role", async () => {
    const user = await api.projects.users.create(project.id, { user_id: "user_1", role: "member" });
    assert.deepEqual([user.id, user.role], ["user_1", "member"]);
    const own = { project_id: project.id };
    assert.equal((await api.projects.users.update("user_1", { ...own, role: "owner" })).role, "owner");
    assert.equal((await api.projects.users.delete("user_1", own)).deleted, true);
    await isGone(() => api.projects.users.retrieve("user_1", own));
  });
  await step("an admin key shows its value once", async () => {
    const key = await api.adminAPIKeys.create({ name: "Main" });
    assert.deepEqual([key.name, typeof key.value], ["Main", "string"]);
    holds(!("value" in (await api.adminAPIKeys.retrieve(key.id))));
    assert.equal((await api.adminAPIKeys.delete(key.id)).deleted, true);
    await isGone(() => api.adminAPIKeys.retrieve(key.id));
  });
  await step("a group is renamed and deleted", async () => {
    const group = await api.groups.create({ name: "Staff" });
    assert.equal((await api.groups.update(group.id, { name: "Crew" })).name, "Crew");
    holds((await collect(api.groups.list())).some(({ id, name }) => id === group.id && name === "Crew"));
    assert.equal((await api.groups.delete(group.id)).deleted, true);
  });
}

async function errors(client: OpenAI, step: RunStep): Promise<void> {
  await step("a parameter of the wrong type is named", async () => {
    const create = () =>
      client.chat.completions.create({ model: MODEL, messages, temperature: "hot" } as unknown as {
        model: string;
        messages: [];
      });
    const thrown = await failureOf(create);
    holds(thrown instanceof OpenAI.BadRequestError && /temperature/.test(thrown.message), String(thrown));
  });
}
