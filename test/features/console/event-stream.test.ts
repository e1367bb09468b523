import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { EventStreamParser } from "../../../console/src/api/event-stream.ts";
import { follow } from "../../../console/src/api/follow.ts";

const STREAM = ': hello\n\nid: 5\nevent: change\ndata: {"a":1}\n\ndata: one\ndata: two\n\nretry: 10\n\n';
const EVENTS = [
  { id: "5", type: "change", data: '{"a":1}' },
  { id: "5", type: "message", data: "one\ntwo" },
];

describe("a stream of events", () => {
  test("comments and unknown fields are ignored, lines of data joined", () => {
    expect(new EventStreamParser().push(STREAM)).toEqual(EVENTS);
  });

  test("wherever the pieces are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length })), fc.constantFrom("\n", "\r\n"), (cuts, end) => {
        const text = STREAM.replaceAll("\n", end);
        const parser = new EventStreamParser();
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const events = places.flatMap((place, index) =>
          parser.push(text.slice(place, places[index + 1] ?? text.length)),
        );
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  test("a server that is busy says so until it is not, or is gone", async () => {
    const noted: string[] = [];
    const outcomes = [
      () => Promise.resolve(new Response('{"error":"Too many requests"}', { status: 429 })),
      () => Promise.resolve(new Response('{"error":"Too many requests"}', { status: 429 })),
      () => Promise.resolve(new Response("")),
      () => Promise.reject(new TypeError("gone")),
    ];
    vi.useFakeTimers();
    vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
    vi.stubGlobal("fetch", () => (outcomes.shift() ?? (() => new Promise(() => {})))());
    const stop = follow("/__events", {
      onEvent: () => {},
      onOpen: () => noted.push("open"),
      onClosed: (refusal) => noted.push(refusal?.title ?? "no response"),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    expect(noted).toEqual(["Too many requests", "Too many requests", "open", "no response", "no response"]);
  });
});
