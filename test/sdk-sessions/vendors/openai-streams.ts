import assert from "node:assert/strict";
import OpenAI from "openai";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

const MODEL = "gpt-4o";
const messages = [{ role: "user" as const, content: "Hello" }];

/** Streams of every kind, and what is kept of responses and chats. */
export const openaiStreams: SdkSession = {
  sdk: "openai",
  document: "openai",
  async run(url, step) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "sk-1", maxRetries: 0 });
    await responses(client, step);
    await chats(client, step);
    await kept(client, step);
  },
};

async function responses(client: OpenAI, step: RunStep): Promise<void> {
  const events = await collect(await client.responses.create({ model: MODEL, input: "Hello", stream: true }));
  await step("a stream begins with response.created and ends with response.completed", async () => {
    assert.equal(events[0]?.type, "response.created");
    assert.equal(events.at(-1)?.type, "response.completed");
  });
  await step("events are numbered in order", async () =>
    assert.deepEqual(
      events.map(({ sequence_number }) => sequence_number),
      events.map((_, position) => (events[0]?.sequence_number ?? 0) + position),
    ),
  );
  await step("deltas add up to the final text", async () => {
    const text = events.flatMap((one) => (one.type === "response.output_text.delta" ? [one.delta] : [])).join("");
    const done = events.flatMap((one) => (one.type === "response.output_text.done" ? [one.text] : []));
    holds(text.length > 0);
    assert.equal(done.join(""), text);
  });
  await step("all events of a stream are of one response and one item", async () => {
    const ids = new Set(events.flatMap((one) => ("response" in one ? [one.response.id] : [])));
    assert.equal(ids.size, 1);
    const items = new Set(events.flatMap((one) => ("item_id" in one ? [one.item_id] : [])));
    assert.equal(items.size, 1);
  });
  await step("the helper of the SDK assembles the final response", async () => {
    const stream = client.responses.stream({ model: MODEL, input: "Hello" });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    const final = await stream.finalResponse();
    assert.equal(final.status, "completed");
    assert.equal(final.model, MODEL);
    holds(text.length > 0);
    assert.equal(final.output_text, text);
  });
  await step("a streamed response is stored", async () => {
    const last = events.at(-1);
    holds(last?.type === "response.completed");
    assert.equal((await client.responses.retrieve(last.response.id)).id, last.response.id);
  });
  await step("a response has a message with text", async () => {
    const response = await client.responses.create({ model: MODEL, input: "Hello" });
    holds(response.output_text.length > 0 && response.status === "completed", response.status);
    assert.equal(response.error, null);
  });
  await step("a response in the background is queued and can be cancelled", async () => {
    const response = await client.responses.create({ model: MODEL, input: "Hello", background: true });
    assert.equal((await client.responses.cancel(response.id)).status, "cancelled");
  });
  await step("a conversation goes on from a response", async () => {
    const first = await client.responses.create({ model: MODEL, input: "Hello", store: true });
    const next = await client.responses.create({ model: MODEL, input: "More", previous_response_id: first.id });
    assert.equal(next.previous_response_id, first.id);
    assert.notEqual(next.id, first.id);
  });
  await step("list the input of a response", async () => {
    const { id } = await client.responses.create({ model: MODEL, input: "Hello" });
    const items = await collect(client.responses.inputItems.list(id));
    holds(items.length < 100);
  });
  await step("settings of a response come back", async () => {
    const one = await client.responses.create({
      model: MODEL,
      input: [{ role: "user", content: "Hi" }],
      temperature: 0.3,
      max_output_tokens: 50,
      parallel_tool_calls: false,
      tool_choice: "none",
      tools: [{ type: "function", name: "f", parameters: {}, strict: true }],
      user: "u1",
    });
    assert.deepEqual(
      [one.temperature, one.max_output_tokens, one.parallel_tool_calls, one.tool_choice, one.tools.length],
      [0.3, 50, false, "none", 1],
    );
  });
  await step("a deleted response is gone", async () => {
    const { id } = await client.responses.create({ model: MODEL, input: "Hello" });
    await client.responses.delete(id);
    holds((await failureOf(() => client.responses.retrieve(id))) instanceof OpenAI.NotFoundError);
  });
}

async function chats(client: OpenAI, step: RunStep): Promise<void> {
  const chunks = await collect(await client.chat.completions.create({ model: MODEL, messages, stream: true }));
  await step("chunks are of one chat and of the model that was asked", async () => {
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    holds(chunks.every(({ model }) => model === MODEL));
  });
  await step("a chat's chunks begin with a role and end with a reason", async () => {
    assert.equal(chunks[0]?.choices[0]?.delta.role, "assistant");
    holds(chunks.some(({ choices }) => choices[0]?.finish_reason === "stop"));
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason ?? "stop", "stop");
  });
  await step("a chat's chunks have text", async () => {
    holds(chunks.some(({ choices }) => (choices[0]?.delta.content ?? "").length > 0));
  });
  await step("only the last chunk has a reason to finish", async () =>
    holds(chunks.slice(0, -1).every(({ choices }) => !choices[0]?.finish_reason)),
  );
  await step("the helper of the SDK assembles the final chat", async () => {
    const stream = client.chat.completions.stream({ model: MODEL, messages });
    const content = await stream.finalContent();
    holds(typeof content === "string" && content.length > 0);
  });
  await step("speech and transcriptions stream", async () => {
    const all = await collect(
      await client.images.generate({ model: "gpt-image-1", prompt: "A hat", stream: true, partial_images: 1 }),
    );
    assert.equal(all.at(-1)?.type, "image_generation.completed");
  });
}

async function kept(client: OpenAI, step: RunStep): Promise<void> {
  const chat = await client.chat.completions.create({ model: MODEL, messages, store: true, metadata: { a: "1" } });
  await step("a stored chat keeps its metadata", async () =>
    assert.deepEqual(metadataOf(await client.chat.completions.retrieve(chat.id)), { a: "1" }),
  );
  await step("change the metadata of a stored chat", async () => {
    const changed = await client.chat.completions.update(chat.id, { metadata: { b: "2" } });
    assert.equal(changed.id, chat.id);
    assert.equal(metadataOf(changed)?.b, "2");
  });
  await step("list stored chats by model", async () => {
    const all = await collect(client.chat.completions.list({ model: MODEL }));
    holds(all.some(({ id }) => id === chat.id) && all.every(({ model }) => model === MODEL));
  });
  await step("a new chat has one answer that is finished", async () => {
    assert.equal(chat.choices.length, 1);
    assert.deepEqual([chat.choices[0]?.index, chat.choices[0]?.finish_reason], [0, "stop"]);
  });
  await step("tokens add up", async () => {
    const { usage } = chat;
    holds(usage === undefined || usage.total_tokens === usage.prompt_tokens + usage.completion_tokens);
  });
  await step("as many images as were asked for", async () => {
    const { data } = await client.images.generate({ model: "dall-e-2", prompt: "A hat", n: 2 });
    assert.equal(data?.length, 2);
  });
  await step("as many moderations as texts", async () => {
    const { results } = await client.moderations.create({ input: ["a", "b"] });
    assert.equal(results.length, 2);
  });
}

/** The SDK does not tell that stored chats have it. */
function metadataOf(chat: OpenAI.ChatCompletion): Record<string, string> | undefined {
  return "metadata" in chat ? (chat.metadata as Record<string, string>) : undefined;
}
