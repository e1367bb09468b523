import { describe, expect, test } from "vitest";
import { Refusal } from "../../../console/src/api/refusal.ts";
import { type FetchWindow, RecordWindows, WINDOW_SIZE } from "../../../console/src/data/record-windows.ts";

const asRefusal = (thrown: unknown): Refusal =>
  thrown instanceof Refusal ? thrown : new Refusal(0, "", "", String(thrown));
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A list of numbered records, and what was asked of it. */
function numbered(total: number) {
  const asked: number[] = [];
  const aborted: number[] = [];
  const fetchWindow: FetchWindow = async (start, limit, signal) => {
    asked.push(start);
    signal.addEventListener("abort", () => aborted.push(start));
    await settle();
    const length = Math.max(0, Math.min(limit, total - start));
    return { records: Array.from({ length }, (_, index) => ({ id: start + index })), total };
  };
  return { asked, aborted, windows: new RecordWindows(fetchWindow, () => {}, asRefusal) };
}

describe("the windows of a list", () => {
  test("only what is in sight is asked for, and only once", async () => {
    const { asked, windows } = numbered(10_000);
    windows.look(250, 270);
    windows.look(251, 270);
    await settle();
    windows.look(250, 270);
    await settle();
    expect(asked).toEqual([200]);
    expect([windows.total, windows.at(255), windows.at(300)]).toEqual([10_000, { id: 255 }, undefined]);
  });

  test("the next window is asked for before its first row is in sight", async () => {
    const { asked, windows } = numbered(10_000);
    windows.look(0, 20);
    await settle();
    windows.look(60, 80);
    await settle();
    expect(asked).toEqual([0, 100]);
    expect(windows.at(100)).toEqual({ id: 100 });
  });

  test("rows across a border need both windows", async () => {
    const { asked, windows } = numbered(10_000);
    windows.look(195, 205);
    await settle();
    expect(asked).toEqual([100, 200]);
  });

  test("what went out of sight before it came is given up", async () => {
    const { aborted, windows } = numbered(1_000_000);
    windows.look(0, 20);
    windows.look(500_000, 500_020);
    await settle();
    expect(aborted).toEqual([0]);
    expect([windows.at(0), windows.at(500_001)]).toEqual([undefined, { id: 500_001 }]);
  });

  test("memory stays bounded, and the least used goes first", async () => {
    const { windows } = numbered(1_000_000);
    for (let window = 0; window < 60; window++) {
      windows.look(window * WINDOW_SIZE, window * WINDOW_SIZE + 1);
      await settle();
    }
    expect(windows.known().length).toBeLessThanOrEqual(40 * WINDOW_SIZE);
    expect([windows.at(0), windows.at(5_900)]).toEqual([undefined, { id: 5_900 }]);
  });

  test("after a change, what is known stays on show until it has been asked for again", async () => {
    const { asked, windows } = numbered(100);
    windows.look(0, 20);
    await settle();
    windows.refresh();
    expect(windows.at(5)).toEqual({ id: 5 });
    await settle();
    expect(asked).toEqual([0, 0]);
  });

  test("what was under way when everything changed is asked for anew", async () => {
    const { asked, windows } = numbered(100);
    windows.look(0, 20);
    windows.refresh();
    await settle();
    expect([asked, windows.total]).toEqual([[0, 0], 100]);
  });

  test("a refusal is kept, until it is asked for again", async () => {
    let isRefused = true;
    const fetchWindow: FetchWindow = async () => {
      if (isRefused) throw new Refusal(400, "QUERY_INVALID", "Invalid query", "no");
      return { records: [], total: 0 };
    };
    const windows = new RecordWindows(fetchWindow, () => {}, asRefusal);
    windows.look(0, 1);
    await settle();
    expect(windows.refusal?.code).toBe("QUERY_INVALID");
    isRefused = false;
    windows.refresh();
    await settle();
    expect([windows.refusal, windows.total]).toEqual([undefined, 0]);
  });

  test("without a response, what is known stays on show, and is asked for again", async () => {
    let isAway = false;
    const fetchWindow: FetchWindow = async () => {
      if (isAway) throw new Refusal(0, "", "No response", "The server does not respond.");
      return { records: [{ id: 1 }], total: 1 };
    };
    const windows = new RecordWindows(fetchWindow, () => {}, asRefusal);
    windows.look(0, 1);
    await settle();
    isAway = true;
    windows.refresh();
    await settle();
    expect([windows.isOutOfDate, windows.at(0), windows.total]).toEqual([true, { id: 1 }, 1]);
    isAway = false;
    windows.refresh();
    await settle();
    expect([windows.isOutOfDate, windows.refusal]).toEqual([false, undefined]);
  });

  test("without a response to the first request, there is nothing to show", async () => {
    const windows = new RecordWindows(
      () => Promise.reject(new Error("gone")),
      () => {},
      asRefusal,
    );
    windows.look(0, 1);
    await settle();
    expect([windows.isOutOfDate, windows.refusal?.status]).toEqual([false, 0]);
  });
});
