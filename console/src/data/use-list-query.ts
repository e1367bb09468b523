import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatParameters } from "../api/parameters.ts";
import { useEvent } from "../api/use-event.ts";
import type { Route } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { formatListQuery, type ListQuery, parseListQuery } from "./list-query.ts";

const PAUSE_MS = 180;

/**
 * The query of a list. What is being typed (a filter without a value, half a word) lives here; once the typing rests it goes
 * into the address, and what stands there is what is asked.
 */
export function useListQuery(route: Extract<Route, { view: "data" }>): {
  query: ListQuery;
  setQuery: (query: ListQuery) => void;
  /** Asks at once, where the data has already changed. */
  askNow: (query: ListQuery) => void;
  asked: ListQuery;
  /** The form that the records are shown in, if not a table. */
  shape: string | undefined;
} {
  const asked = useMemo(() => parseListQuery(route.query), [route.query]);
  const [query, setQuery] = useState(asked);
  const typed = formatListQuery(query);
  const text = formatListQuery(asked);
  const latest = useRef(route);
  latest.current = route;
  const written = useRef(text);
  const follow = useEvent(() => {
    // Links and the back button change the address from outside; by now more may have been typed than was written there.
    if (text === written.current) return;
    written.current = text;
    if (text !== typed) setQuery(asked);
  });
  useEffect(() => follow(), [follow, text]);
  const isWritten = useEvent(() => typed === text);
  const write = useEvent((next: string) => {
    written.current = next;
    go({ ...latest.current, query: withShape(next, shapeIn(latest.current.query)) }, "replace");
  });
  useEffect(() => {
    if (isWritten()) return;
    const timer = setTimeout(() => write(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isWritten, write, typed]);
  const askNow = (next: ListQuery): void => {
    setQuery(next);
    write(formatListQuery(next));
  };
  return { query, setQuery, askNow, asked, shape: shapeIn(route.query) };
}

function shapeIn(query: string): string | undefined {
  return new URLSearchParams(query).get("_view") ?? undefined;
}

/** The query of a list's address, with the form that its records are shown in. */
export function withShape(query: string, shape: string | undefined): string {
  if (shape === undefined) return query;
  const added = formatParameters([["_view", shape]]);
  return query === "" ? added : `${query}&${added}`;
}
