import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { isJsonObject, parseJson } from "../api/json.ts";
import { dataVersion } from "../api/live-data.ts";
import { asRefusal, Refusal } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import { windowPath } from "./list-query.ts";
import { RecordWindows, type Window } from "./record-windows.ts";

/**
 * The records of a list, followed through changes of the data. While a new query is under way the records of the one before
 * stay on show.
 */
export function useRecords(collection: string, query: string): RecordWindows | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [shown, setShown] = useState<RecordWindows>();
  const current = useRef<RecordWindows | undefined>(undefined);
  const version = useStore(dataVersion);
  useEffect(() => {
    const windows = new RecordWindows(
      (start, limit, signal) => fetchWindow(windowPath(collection, query, start, limit), signal),
      () => {
        if (current.current !== windows) return;
        setShown(windows);
        redraw(undefined);
      },
      asRefusal,
    );
    current.current = windows;
    windows.look(0, 1);
    return () => windows.close();
  }, [collection, query]);
  const seen = useRef(version);
  useEffect(() => {
    if (version !== seen.current) current.current?.refresh();
    seen.current = version;
  }, [version]);
  return shown;
}

/** Asks for a list of records, or of the rows that they are grouped into. */
export async function fetchWindow(path: string, signal: AbortSignal): Promise<Window> {
  const { text, headers } = await ask("GET", path, { signal });
  const records = parseJson(text);
  const total = Number(headers.get("X-Total-Count") ?? Number.NaN);
  if (!Array.isArray(records) || !records.every(isJsonObject)) {
    throw new Refusal(
      200,
      "",
      "No list",
      "An interceptor returns something other than a list, so there is no table to show. The request builder shows it.",
    );
  }
  return { records, total: Number.isNaN(total) ? records.length : total };
}
