import assert from "node:assert/strict";
import OpenAI, { toFile } from "openai";
import { collect, failureOf, holds, made, type RunStep, type SdkSession } from "../session.ts";

const MODEL = "gpt-4o";

/** Threads created with messages, vector stores with files, fine-tuning, evals and uploads. */
export const openaiStores: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", maxRetries: 0 });
    await nested(client, step);
    await stores(client, step);
    await jobs(client, step);
    await conversations(client, step);
  },
};

function textOf(message: OpenAI.Beta.Threads.Message | undefined): string | undefined {
  const [part] = message?.content ?? [];
  return part?.type === "text" ? part.text.value : undefined;
}

async function nested(client: OpenAI, step: RunStep): Promise<void> {
  const { threads, assistants } = client.beta;
  const thread = await threads.create({
    messages: [
      { role: "user", content: "One" },
      { role: "assistant", content: "Two", metadata: { a: "1" } },
    ],
    metadata: { topic: "hats" },
  });
  await step("a thread created with messages has them", async () => {
    const { data } = await threads.messages.list(thread.id, { order: "asc" });
    assert.deepEqual(
      data.map((one) => [one.role, textOf(one), one.thread_id]),
      [
        ["user", "One", thread.id],
        ["assistant", "Two", thread.id],
      ],
    );
  });
  await step("such a message can be retrieved and changed", async () => {
    const { data } = await threads.messages.list(thread.id);
    const id = made(data.find((one) => textOf(one) === "Two")).id;
    const own = { thread_id: thread.id };
    assert.deepEqual((await threads.messages.retrieve(id, own)).metadata, { a: "1" });
    assert.deepEqual((await threads.messages.update(id, { ...own, metadata: { b: "2" } })).metadata?.b, "2");
  });
  await step("a thread does not show its messages", async () =>
    holds(!("messages" in (await threads.retrieve(thread.id)))),
  );
  const assistant = await assistants.create({
    model: MODEL,
    description: "Adds",
    temperature: 0.5,
    tools: [{ type: "file_search" }],
    tool_resources: { file_search: { vector_store_ids: ["vs_1"] } },
  });
  await step("a run takes model and instructions", async () => {
    const run = await threads.runs.create(thread.id, {
      assistant_id: assistant.id,
      instructions: "Be short.",
      model: "gpt-4o-mini",
    });
    assert.deepEqual([run.instructions, run.model, run.thread_id], ["Be short.", "gpt-4o-mini", thread.id]);
    assert.deepEqual([run.started_at, run.completed_at, run.last_error], [null, null, null]);
  });
  await step("the steps of a run are its own", async () => {
    const run = await threads.runs.create(thread.id, { assistant_id: assistant.id });
    const steps = await collect(threads.runs.steps.list(run.id, { thread_id: thread.id }));
    holds(steps.every(({ run_id, thread_id }) => run_id === run.id && thread_id === thread.id));
  });
  await step("messages of a thread that is not there", async () =>
    holds((await failureOf(async () => threads.messages.list("thread_none"))) instanceof OpenAI.NotFoundError),
  );
}

async function stores(client: OpenAI, step: RunStep): Promise<void> {
  const upload = async (name: string) =>
    client.files.create({ file: await toFile(Buffer.from(name), name), purpose: "assistants" });
  const [first, second] = [await upload("a.txt"), await upload("b.txt")];
  const store = await client.vectorStores.create({
    name: "Docs",
    file_ids: [first.id],
    expires_after: { anchor: "last_active_at", days: 3 },
    metadata: { team: "a" },
  });
  await step("a vector store keeps when it expires", async () =>
    assert.deepEqual(
      [store.name, store.expires_after, store.metadata],
      ["Docs", { anchor: "last_active_at", days: 3 }, { team: "a" }],
    ),
  );
  await step("a vector store created with files has them", async () => {
    const all = await collect(client.vectorStores.files.list(store.id));
    assert.deepEqual(
      all.map(({ id }) => id),
      [first.id],
    );
  });
  await step("a file keeps its id in a vector store", async () => {
    const held = await client.vectorStores.files.create(store.id, { file_id: second.id, attributes: { lang: "en" } });
    assert.deepEqual([held.id, held.vector_store_id, held.attributes], [second.id, store.id, { lang: "en" }]);
    const found = await client.vectorStores.files.retrieve(second.id, { vector_store_id: store.id });
    assert.equal(found.id, second.id);
  });
  await step("change the attributes of a file", async () => {
    const changed = await client.vectorStores.files.update(second.id, {
      vector_store_id: store.id,
      attributes: { lang: "it" },
    });
    assert.deepEqual(changed.attributes, { lang: "it" });
  });
  await step("take a file out of a vector store, and keep the file", async () => {
    const gone = await client.vectorStores.files.delete(second.id, { vector_store_id: store.id });
    assert.deepEqual([gone.id, gone.deleted], [second.id, true]);
    const failure = await failureOf(() => client.vectorStores.files.retrieve(second.id, { vector_store_id: store.id }));
    holds(failure instanceof OpenAI.NotFoundError);
    assert.equal((await client.files.retrieve(second.id)).id, second.id);
  });
  await step("a batch of files", async () => {
    const batch = await client.vectorStores.fileBatches.create(store.id, { file_ids: [first.id, second.id] });
    assert.equal(batch.vector_store_id, store.id);
    const found = await client.vectorStores.fileBatches.retrieve(batch.id, { vector_store_id: store.id });
    assert.equal(found.id, batch.id);
    const cancelled = await client.vectorStores.fileBatches.cancel(batch.id, { vector_store_id: store.id });
    assert.deepEqual([cancelled.id, cancelled.status], [batch.id, "cancelled"]);
  });
  await step("search a vector store", async () => {
    const { data } = await client.vectorStores.search(store.id, { query: "hats" });
    holds(data.every(({ score }) => typeof score === "number"));
  });
  await step("page through vector stores", async () => {
    for (const name of ["A", "B", "C"]) await client.vectorStores.create({ name });
    const all = await collect(client.vectorStores.list({ limit: 2 }));
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    holds(["A", "B", "C", "Docs"].every((wanted) => all.some(({ name }) => name === wanted)));
  });
}

async function jobs(client: OpenAI, step: RunStep): Promise<void> {
  const job = await client.fineTuning.jobs.create({
    model: "gpt-4o-mini",
    training_file: "file-1",
    validation_file: "file-2",
    suffix: "hats",
    seed: 7,
    metadata: { a: "b" },
  });
  await step("a new fine-tuning job has its files and is not finished", async () =>
    assert.deepEqual(
      [job.training_file, job.validation_file, job.seed, job.finished_at, job.fine_tuned_model, job.metadata],
      ["file-1", "file-2", 7, null, null, { a: "b" }],
    ),
  );
  await step("a new fine-tuning job waits", async () =>
    holds(["validating_files", "queued"].includes(job.status), job.status),
  );
  await step("list jobs, events and checkpoints", async () => {
    holds((await collect(client.fineTuning.jobs.list({ limit: 2 }))).some(({ id }) => id === job.id));
    holds((await collect(client.fineTuning.jobs.listEvents(job.id))).length < 100);
    const checkpoints = await collect(client.fineTuning.jobs.checkpoints.list(job.id));
    holds(checkpoints.every(({ fine_tuning_job_id }) => fine_tuning_job_id === job.id));
  });
  await step("an eval with a run", async () => {
    const evaluation = await client.evals.create({
      name: "Sums",
      data_source_config: { type: "custom", item_schema: { type: "object" } },
      testing_criteria: [{ type: "string_check", name: "Same", input: "{{item.a}}", reference: "1", operation: "eq" }],
    });
    assert.equal(evaluation.name, "Sums");
    assert.equal((await client.evals.update(evaluation.id, { name: "Adds" })).name, "Adds");
    const run = await client.evals.runs.create(evaluation.id, {
      name: "First",
      data_source: { type: "jsonl", source: { type: "file_id", id: "file-1" } },
    });
    assert.deepEqual([run.eval_id, run.name], [evaluation.id, "First"]);
    assert.deepEqual(
      (await client.evals.runs.list(evaluation.id)).data.map(({ id }) => id),
      [run.id],
    );
    assert.equal((await client.evals.delete(evaluation.id)).deleted, true);
  });
  await step("a container with a file", async () => {
    const container = await client.containers.create({ name: "Box" });
    assert.equal(container.name, "Box");
    const file = await client.containers.files.create(container.id, {
      file: await toFile(Buffer.from("text"), "a.txt"),
    });
    assert.equal(file.container_id, container.id);
    holds((await collect(client.containers.files.list(container.id))).some(({ id }) => id === file.id));
    await client.containers.delete(container.id);
    holds((await failureOf(() => client.containers.retrieve(container.id))) instanceof OpenAI.NotFoundError);
  });
  await step("a video is made and deleted", async () => {
    const video = await client.videos.create({ prompt: "A hat", model: "sora-2", seconds: "4" });
    assert.deepEqual([video.model, video.seconds, video.status], ["sora-2", "4", "queued"]);
    assert.equal((await client.videos.retrieve(video.id)).id, video.id);
    assert.equal((await client.videos.delete(video.id)).deleted, true);
  });
}

async function conversations(client: OpenAI, step: RunStep): Promise<void> {
  const conversation = await client.conversations.create({
    metadata: { topic: "hats" },
    items: [{ type: "message", role: "user", content: "Hello" }],
  });
  await step("change a conversation", async () => {
    const changed = await client.conversations.update(conversation.id, { metadata: { topic: "caps" } });
    assert.deepEqual(changed.metadata, { topic: "caps" });
  });
  await step("delete a conversation", async () => {
    assert.equal((await client.conversations.delete(conversation.id)).deleted, true);
    holds((await failureOf(() => client.conversations.retrieve(conversation.id))) instanceof OpenAI.NotFoundError);
  });
}
