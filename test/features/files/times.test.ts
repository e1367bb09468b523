import { expect, onTestFinished, test, vi } from "vitest";
import { createFetch } from "../../../src/app/fetch.ts";
import { codeOf, startApi } from "../../support/api.ts";

const TEXT = { "Content-Type": "text/plain" };
const TOKEN = { authorization: "Bearer token-of-the-shop" };
const HOUR_MS = 3_600_000;

test.each([
  ["without a guard", {}],
  ["with a guard", { middlewares: ["bearer"], layers: { bearer: { token: "token-of-the-shop" } } }],
])("%s, an upload can be named for a day", async (_name, options) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask } = await startApi({ data: { products: [] }, ...options });
  const upload = (body: string) => ask("POST /__files?name=a", { body, headers: { ...TEXT, ...TOKEN } });
  const name = ({ body: photo }: { body: unknown }) => ask("POST /products", { body: { photo }, headers: TOKEN });
  const [early, late] = [await upload("early"), await upload("late")];
  vi.setSystemTime(Date.now() + 23 * HOUR_MS);
  expect((await name(early)).status).toBe(201);
  vi.setSystemTime(Date.now() + 2 * HOUR_MS);
  expect(codeOf(await name(late))).toBe("FILE_UNKNOWN");
  expect((await name(early)).status).toBe(201);
});

test("files age by real time, whatever the clock of the data says", async () => {
  const { ask } = await startApi({ data: { products: [] }, clock: "2050-01-01T00:00:00Z" });
  await ask("POST /__files", { body: "unused", headers: TEXT });
  expect((await ask("POST /__files/clean")).body).toEqual({ kept: 1, trashed: 0, removed: 0 });
});

test.each([
  ["alone", "/__files", "text/plain", "a"],
  [
    "in a form",
    "/products",
    "multipart/form-data; boundary=X",
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\na',
  ],
])("an upload %s that sends nothing for 30 seconds ends", async (_name, path, type, start) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await using api = await createFetch({ data: { products: [] } });
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(start)) });
  const options = { method: "POST", headers: { "Content-Type": type }, body, duplex: "half" };
  let reply: Response | undefined;
  const sending = api.fetch(new Request(`http://localhost${path}`, options)).then((response) => {
    reply = response;
  });
  while (!reply) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1000);
  }
  await sending;
  expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([408, "REQUEST_TIMEOUT"]);
});
