import assert from "node:assert/strict";
import OpenAI, { toFile } from "openai";
import { collect, failureOf, holds, made, type SdkSession } from "../session.ts";

const MODEL = "gpt-4o";

/** Chats with tools, batches, vector stores and moderation. */
export const openaiBatches: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "Hello" }];
    await step("chat with tools and a format", async () => {
      const { choices, model, usage } = await client.chat.completions.create({
        model: MODEL,
        messages: [{ role: "system", content: "Be short." }, ...messages],
        temperature: 0.2,
        response_format: { type: "json_object" },
        tools: [
          {
            type: "function",
            function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
          },
        ],
      });
      assert.equal(model, MODEL);
      holds(choices.length > 0 && (usage === undefined || Number.isInteger(usage.total_tokens)));
    });
    await step("stream a chat by its helper", async () => {
      const stream = client.chat.completions.stream({ model: MODEL, messages });
      let chunks = 0;
      for await (const _ of stream) chunks++;
      const final = await stream.finalChatCompletion();
      holds(chunks > 0 && final.choices.length > 0);
    });
    await step("store, list and delete a chat", async () => {
      const { id } = await client.chat.completions.create({
        model: MODEL,
        messages,
        store: true,
        metadata: { run: "7" },
      });
      assert.equal((await client.chat.completions.retrieve(id)).id, id);
      holds((await collect(client.chat.completions.list({ limit: 5 }))).some((one) => one.id === id));
      assert.equal((await client.chat.completions.delete(id)).deleted, true);
    });
    await step("embed two texts", async () => {
      const { data, model } = await client.embeddings.create({
        model: "text-embedding-3-small",
        input: ["a", "b"],
        encoding_format: "float",
      });
      holds(
        data.length > 0 &&
          data.every(
            ({ object, embedding }) => object === "embedding" && embedding.every((one) => typeof one === "number"),
          ),
      );
      assert.equal(model, "text-embedding-3-small");
    });
    await step("moderate a text", async () => {
      const { results } = await client.moderations.create({ input: "Hello" });
      assert.equal(typeof results[0]?.flagged, "boolean");
    });
    const file = await client.files.create({
      file: await toFile(Buffer.from('{"custom_id":"1"}\n'), "batch.jsonl"),
      purpose: "batch",
    });
    const batch = await step(
      "create a batch",
      () =>
        client.batches.create({
          input_file_id: file.id,
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
          metadata: { job: "nightly" },
        }),
      (one) =>
        assert.deepEqual(
          [one.object, one.input_file_id, one.endpoint, one.completion_window, one.metadata],
          ["batch", file.id, "/v1/chat/completions", "24h", { job: "nightly" }],
        ),
    );
    await step("retrieve and list batches", async () => {
      assert.equal((await client.batches.retrieve(made(batch).id)).input_file_id, file.id);
      holds((await collect(client.batches.list({ limit: 2 }))).some(({ id }) => id === made(batch).id));
    });
    await step("cancel a batch", async () => {
      const { status } = await client.batches.cancel(made(batch).id);
      holds(["cancelling", "cancelled"].includes(status), status);
    });
    await step("list files by their purpose", async () => {
      const all = await collect(client.files.list({ purpose: "batch" }));
      holds(all.some(({ id }) => id === file.id) && all.every(({ purpose }) => purpose === "batch"));
    });
    await step("put a file into a vector store", async () => {
      const store = await client.vectorStores.create({ name: "Docs", metadata: { team: "x" } });
      const held = await client.vectorStores.files.create(store.id, { file_id: file.id });
      assert.equal(held.vector_store_id, store.id);
      holds((await collect(client.vectorStores.files.list(store.id))).some(({ id }) => id === held.id));
    });
    await step("keep a response and its conversation", async () => {
      const response = await client.responses.create({
        model: MODEL,
        input: "Hello",
        metadata: { a: "b" },
        instructions: "Be kind.",
      });
      assert.deepEqual([response.model, response.metadata, response.instructions], [MODEL, { a: "b" }, "Be kind."]);
      assert.equal((await client.responses.retrieve(response.id)).id, response.id);
      const conversation = await client.conversations.create({ metadata: { topic: "hats" } });
      assert.deepEqual((await client.conversations.retrieve(conversation.id)).metadata, { topic: "hats" });
    });
    await step("run a thread", async () => {
      const assistant = await client.beta.assistants.create({
        model: MODEL,
        instructions: "Add.",
        tools: [{ type: "code_interpreter" }],
      });
      assert.deepEqual([assistant.instructions, assistant.tools], ["Add.", [{ type: "code_interpreter" }]]);
      const thread = await client.beta.threads.create({ metadata: { user: "1" } });
      const run = await client.beta.threads.runs.create(thread.id, { assistant_id: assistant.id });
      assert.deepEqual([run.thread_id, run.assistant_id], [thread.id, assistant.id]);
      assert.equal((await client.beta.threads.runs.retrieve(run.id, { thread_id: thread.id })).id, run.id);
      const cancelled = await client.beta.threads.runs.cancel(run.id, { thread_id: thread.id });
      holds(["cancelling", "cancelled"].includes(cancelled.status), cancelled.status);
    });
    await step("transcribe and speak", async () => {
      const { text } = await client.audio.transcriptions.create({
        model: "whisper-1",
        file: await toFile(Buffer.from([1, 2]), "a.mp3"),
      });
      assert.equal(typeof text, "string");
      const speech = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Hello" });
      holds((await speech.arrayBuffer()).byteLength > 0);
    });
    await step("make an image", async () => {
      const { data } = await client.images.generate({ model: "gpt-image-1", prompt: "A hat" });
      holds((data?.length ?? 0) > 0);
    });
    await step("400 without a model", async () => {
      const thrown = await failureOf(() =>
        client.chat.completions.create({ messages } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming),
      );
      holds(thrown instanceof OpenAI.BadRequestError && /model/.test(thrown.message), String(thrown));
    });
  },
};
