import { expect, onTestFinished, test, vi } from "vitest";
import { follow } from "../../../console/src/api/follow.ts";
import { isLeaving, leaveAfter } from "../../../console/src/api/leaving.ts";
import { loadOverview } from "../../../console/src/api/live-data.ts";

/** A page with an open stream, and the paths that it asks for. */
function openPage() {
  const asked: string[] = [];
  const went: string[] = [];
  let comeBack = (): void => {};
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
  vi.stubGlobal("location", { assign: (address: string) => went.push(address) });
  vi.stubGlobal("addEventListener", (_type: string, listener: () => void) => {
    comeBack = listener;
  });
  vi.stubGlobal("fetch", (path: string, { signal }: RequestInit) => {
    asked.push(path);
    return new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));
  });
  const stop = follow("/__events", { onEvent: () => {}, onOpen: () => {}, onClosed: () => {} });
  onTestFinished(() => {
    stop();
    isLeaving.set(false);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return { asked, went, comeBack: () => comeBack() };
}

test("a page that discards its sandbox ends its requests before, and sends none after", async () => {
  const { asked, went, comeBack } = openPage();
  await vi.advanceTimersByTimeAsync(0);
  void loadOverview();
  expect(asked).toEqual(["/__events", "/__overview"]);
  await leaveAfter(async () => asked.push("discarded"), "/__console#/lab");
  await loadOverview();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual(["/__events", "/__overview", "discarded"]);
  expect(went).toEqual(["/__console#/lab"]);
  // The browser may show the page again, which must say then that the sandbox is gone.
  comeBack();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.slice(3)).toEqual(["/__events"]);
});

test("a page that could not discard its sandbox goes on", async () => {
  const { asked, went } = openPage();
  await vi.advanceTimersByTimeAsync(0);
  await expect(leaveAfter(() => Promise.reject(new Error("read-only")), "/")).rejects.toThrow("read-only");
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked, went]).toEqual([["/__events", "/__events"], []]);
});
