/**
 * A change of 2,000 records was rendered and written for 500 streams in one go, which held the event loop for 574 ms.
 * Here time is up at every look at the clock, so that every pause is taken, and their number does not depend on the machine.
 */
import { expect, onTestFinished, test, vi } from "vitest";
import { createLive } from "../../src/features/live/live.ts";
import type { EventSink } from "../../src/http/response/reply.ts";
import { storeOf } from "../features/access/guarded-server.ts";

const READERS = 50;

/** A response that notes what is written to it. */
class Sink implements EventSink {
  readonly writableLength = 0;
  readonly written: (string | Uint8Array)[] = [];
  isEnded = false;
  write(data: string | Uint8Array): boolean {
    this.written.push(data);
    return true;
  }
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {}
  once(): void {}
}

function openStreams() {
  const store = storeOf({ records: [{ id: 1 }, { id: 2 }], other: [] });
  const live = createLive(store, { traffic: 0, heartbeatMs: 60_000, clock: { now: () => 0 } });
  onTestFinished(() => live.close());
  const sinks = Array.from({ length: READERS }, () => new Sink());
  for (const sink of sinks) live.changesOf(store).follow(sink, { collections: new Set(["records"]) });
  const clock = vi.spyOn(performance, "now");
  let now = 0;
  clock.mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  const change = async (n: number) => store.apply({ kind: "patch", collection: "records", id: "1", body: { n } });
  return { live, sinks, change, received: () => sinks.filter(({ written }) => written.length > 1).length };
}

const textOf = (data: string | Uint8Array | undefined): string => Buffer.from(data ?? "").toString();

test("a change reaches many streams in many turns, made once for all, and each in order", async () => {
  const { sinks, change, received } = openStreams();
  await Promise.all([change(1), change(2)]);
  expect(received()).toBeLessThan(READERS / 2);
  let turns = 0;
  for (; sinks.some(({ written }) => written.length < 3); turns++) await new Promise(setImmediate);
  expect(turns).toBeGreaterThan(READERS);
  for (const { written } of sinks) {
    expect(written.slice(1).map((data) => /"n":(\d+)}}\]/.exec(textOf(data))?.[1])).toEqual(["1", "2"]);
    expect(written[1]).toBe(sinks[0]?.written[1]);
  }
});

test("streams that end get what was on its way", async () => {
  const { live, sinks, change } = openStreams();
  await change(1);
  live.endStreams();
  for (const { written, isEnded } of sinks)
    expect([textOf(written[1]), isEnded]).toEqual([expect.stringContaining('"n":1'), true]);
});

test("writes wait for streams that lag behind, so that changes do not pile up", async () => {
  const { sinks, change } = openStreams();
  for (let n = 1; n <= 300; n++) await change(n);
  expect(Math.min(...sinks.map(({ written }) => written.length))).toBeGreaterThan(150);
});
