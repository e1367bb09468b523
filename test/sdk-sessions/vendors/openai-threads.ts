import assert from "node:assert/strict";
import OpenAI, { toFile } from "openai";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

const MODEL = "gpt-4o";

/** Threads with runs, uploads in parts, containers and projects. */
export const openaiThreads: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", maxRetries: 0 });
    await threads(client, step);
    await data(client, step);
  },
};

async function threads(client: OpenAI, step: RunStep): Promise<void> {
  const { assistants, threads: api } = client.beta;
  const assistant = await assistants.create({ model: MODEL, name: "Tutor" });
  const thread = await api.create({ metadata: { user: "1" } });
  const at = { thread_id: thread.id };
  const run = await api.runs.create(thread.id, { assistant_id: assistant.id, metadata: { a: "1" } });
  await step("a new run is queued", async () =>
    assert.deepEqual([run.status, run.assistant_id, run.metadata], ["queued", assistant.id, { a: "1" }]),
  );
  await step("list and change the runs of a thread", async () => {
    assert.deepEqual(
      (await api.runs.list(thread.id)).data.map(({ id }) => id),
      [run.id],
    );
    assert.deepEqual((await api.runs.update(run.id, { ...at, metadata: { a: "2" } })).metadata, { a: "2" });
  });
  await step("a run is of no other thread", async () => {
    const other = await api.create();
    assert.deepEqual((await api.runs.list(other.id)).data, []);
    const thrown = await failureOf(() => api.runs.retrieve(run.id, { thread_id: other.id }));
    holds(thrown instanceof OpenAI.NotFoundError, String(thrown));
  });
  await step("change and delete a message", async () => {
    const { id } = await api.messages.create(thread.id, { role: "user", content: "Hello" });
    assert.deepEqual((await api.messages.update(id, { ...at, metadata: { q: "2" } })).metadata, { q: "2" });
    assert.deepEqual(await api.messages.delete(id, at), { id, object: "thread.message.deleted", deleted: true });
  });
  await step("delete a thread", async () => {
    assert.equal((await api.delete(thread.id)).deleted, true);
    holds((await failureOf(() => api.retrieve(thread.id))) instanceof OpenAI.NotFoundError);
  });
}

async function data(client: OpenAI, step: RunStep): Promise<void> {
  const file = await client.files.create({ file: await toFile(Buffer.from("abc"), "a.txt"), purpose: "assistants" });
  await step("list files by purpose", async () => {
    const all = await collect(client.files.list({ purpose: "assistants" }));
    holds(all.some(({ id }) => id === file.id) && all.every(({ purpose }) => purpose === "assistants"));
  });
  await step("a new batch is validated first", async () => {
    const batch = await client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    assert.deepEqual([batch.input_file_id, batch.status], [file.id, "validating"]);
  });
  await step("a part belongs to its upload", async () => {
    const upload = await client.uploads.create({
      filename: "a.jsonl",
      bytes: 3,
      mime_type: "text/jsonl",
      purpose: "fine-tune",
    });
    assert.deepEqual([upload.filename, upload.bytes, upload.status], ["a.jsonl", 3, "pending"]);
    const part = await client.uploads.parts.create(upload.id, { data: await toFile(Buffer.from("abc"), "part") });
    assert.equal(part.upload_id, upload.id);
  });
  await step("archive a project", async () => {
    const post = (path: string, body?: object) =>
      client.post<{ id: string; name: string; status: string }>(`/organization/projects${path}`, { body });
    const project = await post("", { name: "Hats" });
    assert.deepEqual([project.name, project.status], ["Hats", "active"]);
    assert.equal((await post(`/${project.id}/archive`)).status, "archived");
  });
  await step("embed several texts", async () => {
    const { object, model } = await client.embeddings.create({
      model: "text-embedding-3-small",
      input: ["a", "b"],
      encoding_format: "float",
    });
    assert.deepEqual([object, model], ["list", "text-embedding-3-small"]);
  });
  await step("delete a model", async () => {
    const [first] = await collect(client.models.list());
    const gone = await client.models.delete(first?.id ?? "");
    assert.deepEqual([gone.id, gone.deleted], [first?.id, true]);
    holds((await failureOf(() => client.models.retrieve(gone.id))) instanceof OpenAI.NotFoundError);
  });
}
