import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveBackMemory } from "../../src/store/file/give-back-memory.ts";

const LARGE_BYTES = 64 * 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a small file is not worth a collection", () => {
  giveBackMemory(1024);
  expect(vi.getTimerCount()).toBe(0);
});

test("the memory of a large file is given back in the first quiet second, not while the server is busy", () => {
  let busyMs = 900;
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: busyMs * 1000, system: 0 }));
  giveBackMemory(LARGE_BYTES);
  for (let second = 0; second < 3; second++) {
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(1);
  }
  busyMs = 10;
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
});

test("a server that is busy for a minute is left to the collections of the engine", () => {
  const cpuUsage = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 900_000, system: 0 }));
  giveBackMemory(LARGE_BYTES);
  vi.advanceTimersByTime(59_000);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(0);
  expect(cpuUsage).toHaveBeenCalledTimes(120);
});
