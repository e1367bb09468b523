import assert from "node:assert/strict";
import OpenAI, { toFile } from "openai";
import { collect, failureOf, holds, made, type RunStep, type SdkSession } from "./session.ts";

const MODEL = "gpt-4o";

export const openai: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", maxRetries: 0 });
    await generation(client, step);
    await files(client, step);
    await assistants(client, step);
    await jobs(client, step);
  },
};

async function generation(client: OpenAI, step: RunStep): Promise<void> {
  const models = await step(
    "list models",
    () => collect(client.models.list()),
    (all) => holds(all.length > 0 && all.every(({ object }) => object === "model")),
  );
  await step(
    "retrieve a model",
    () => client.models.retrieve(made(models?.[0]?.id)),
    (one) => assert.equal(one.id, models?.[0]?.id),
  );
  const messages = [{ role: "user" as const, content: "Hello" }];
  await step(
    "complete a chat",
    () => client.chat.completions.create({ model: MODEL, messages }),
    ({ object, choices }) => {
      assert.equal(object, "chat.completion");
      assert.equal(choices[0]?.message.role, "assistant");
      assert.equal(typeof choices[0]?.message.content, "string");
    },
  );
  await step(
    "stream a chat",
    async () => collect(await client.chat.completions.create({ model: MODEL, messages, stream: true })),
    (chunks) => {
      holds(chunks.length > 0);
      holds(chunks.every(({ object, choices }) => object === "chat.completion.chunk" && Array.isArray(choices)));
    },
  );
  await step(
    "create a response",
    () => client.responses.create({ model: MODEL, input: "Hello" }),
    ({ object, output }) => holds(object === "response" && Array.isArray(output)),
  );
  await step(
    "stream a response",
    async () => collect(await client.responses.create({ model: MODEL, input: "Hello", stream: true })),
    (events) => holds(events.length > 0 && events.every(({ type }) => typeof type === "string")),
  );
  await step(
    "embed a text",
    () => client.embeddings.create({ model: "text-embedding-3-small", input: "Hello", encoding_format: "float" }),
    ({ data }) => assert.equal(typeof data[0]?.embedding[0], "number"),
  );
}

async function files(client: OpenAI, step: RunStep): Promise<void> {
  const content = '{"prompt":"a"}\n';
  const upload = async () =>
    client.files.create({ file: await toFile(Buffer.from(content), "training.jsonl"), purpose: "fine-tune" });
  const file = await step("upload a file", upload, (one) =>
    assert.deepEqual([one.filename, one.bytes, one.purpose], ["training.jsonl", content.length, "fine-tune"]),
  );
  await step(
    "retrieve a file",
    () => client.files.retrieve(made(file).id),
    (one) => assert.deepEqual(one, made(file)),
  );
  await step("download a file", async () =>
    assert.equal(await (await client.files.content(made(file).id)).text(), content),
  );
  await step("page through files", async () => {
    for (let count = 0; count < 3; count++) await upload();
    const all = await collect(client.files.list({ limit: 2 }));
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    holds(all.length >= 4 && all.some(({ id }) => id === made(file).id));
  });
  await step(
    "delete a file",
    () => client.files.delete(made(file).id),
    (gone) => assert.deepEqual([gone.id, gone.object, gone.deleted], [made(file).id, "file", true]),
  );
  await step(
    "404 by the class of the SDK",
    () => failureOf(() => client.files.retrieve("file-none")),
    (thrown) => holds(thrown instanceof OpenAI.NotFoundError, String(thrown)),
  );
}

async function assistants(client: OpenAI, step: RunStep): Promise<void> {
  const { assistants: api, threads } = client.beta;
  const assistant = await step(
    "create an assistant",
    () => api.create({ model: MODEL, name: "Tutor", metadata: { team: "maths" } }),
    (one) =>
      assert.deepEqual(
        [one.object, one.name, one.model, one.metadata],
        ["assistant", "Tutor", MODEL, { team: "maths" }],
      ),
  );
  await step(
    "update an assistant",
    () => api.update(made(assistant).id, { name: "Teacher" }),
    (one) => assert.deepEqual([one.id, one.name, one.model], [made(assistant).id, "Teacher", MODEL]),
  );
  await step("page through assistants in order", async () => {
    for (let count = 0; count < 3; count++) await api.create({ model: MODEL });
    const all = await collect(api.list({ limit: 2, order: "asc" }));
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    holds(all.length >= 4);
    const times = all.map(({ created_at }) => created_at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });
  await step(
    "delete an assistant",
    () => api.delete(made(assistant).id),
    (gone) => assert.deepEqual([gone.object, gone.deleted], ["assistant.deleted", true]),
  );
  const thread = await step(
    "create and retrieve a thread",
    async () => threads.retrieve((await threads.create()).id),
    ({ object }) => assert.equal(object, "thread"),
  );
  const message = await step(
    "add a message to a thread",
    () => threads.messages.create(made(thread).id, { role: "user", content: "Hello" }),
    ({ role, content, thread_id }) => {
      assert.deepEqual([role, thread_id], ["user", made(thread).id]);
      const [part] = content;
      assert.equal(part?.type === "text" && part.text.value, "Hello");
    },
  );
  await step(
    "list the messages of a thread",
    () => collect(threads.messages.list(made(thread).id)),
    (all) =>
      assert.deepEqual(
        all.map(({ id }) => id),
        [made(message).id],
      ),
  );
}

async function jobs(client: OpenAI, step: RunStep): Promise<void> {
  await step("create and cancel a fine-tuning job", async () => {
    const { id } = await client.fineTuning.jobs.create({ model: MODEL, training_file: "file-1" });
    const job = await client.fineTuning.jobs.cancel(id);
    assert.deepEqual([job.id, job.model, job.status], [id, MODEL, "cancelled"]);
  });
  await step("create, rename and delete a vector store", async () => {
    const { id } = await client.vectorStores.create({ name: "Books" });
    assert.equal((await client.vectorStores.update(id, { name: "Papers" })).name, "Papers");
    assert.equal((await client.vectorStores.retrieve(id)).name, "Papers");
    assert.equal((await client.vectorStores.delete(id)).deleted, true);
  });
}
