import { IS_IN_WORKER } from "../api/base.ts";
import { isRecording, type Overview, servesData } from "../api/overview.ts";
import type { Route } from "../routes/route.ts";
import type { IconName } from "../ui/icon.tsx";

/** The views, in the order in which they are listed. */
export interface ViewEntry {
  readonly view: Route["view"];
  readonly name: string;
  readonly icon: IconName;
  readonly hash: string;
  /** The key that goes there. */
  readonly keys: string;
  /** Other words that people look for. */
  readonly also: string;
  /** Whether it has something to show where examples are served. */
  readonly isForExamples?: true;
}

export const VIEWS = [
  {
    view: "overview",
    name: "Overview",
    icon: "overview",
    hash: "#/",
    keys: "1",
    also: "home start server",
    isForExamples: true,
  },
  {
    view: "examples",
    name: "Examples",
    icon: "page",
    hash: "#/examples",
    keys: "e",
    also: "mocks responses hosted postman",
    isForExamples: true,
  },
  { view: "data", name: "Data", icon: "data", hash: "#/data", keys: "2", also: "collections records table" },
  {
    view: "request",
    name: "Request",
    icon: "request",
    hash: "#/request",
    keys: "3",
    also: "send try http",
    isForExamples: true,
  },
  {
    view: "traffic",
    name: "Traffic",
    icon: "traffic",
    hash: "#/traffic",
    keys: "4",
    also: "log requests",
    isForExamples: true,
  },
  {
    view: "lab",
    name: "Test lab",
    icon: "lab",
    hash: "#/lab",
    keys: "5",
    also: "sandboxes faults compare promote clock seed",
    isForExamples: true,
  },
  { view: "snapshots", name: "Snapshots", icon: "snapshots", hash: "#/snapshots", keys: "6", also: "backup restore" },
  {
    view: "history",
    name: "History",
    icon: "history",
    hash: "#/history",
    keys: "7",
    also: "timeline versions changes revert undo restore past time travel",
  },
  {
    view: "docs",
    name: "API docs",
    icon: "docs",
    hash: "#/docs",
    keys: "8",
    also: "openapi swagger reference schema",
    isForExamples: true,
  },
  {
    view: "record",
    name: "Record",
    icon: "record",
    hash: "#/record",
    keys: "9",
    also: "recording real api upstream save",
  },
  {
    view: "hooks",
    name: "Hooks",
    icon: "hook",
    hash: "#/hooks",
    keys: "0",
    also: "webhooks deliveries timeline clock time jobs redeliver",
  },
  {
    view: "agents",
    name: "Agents",
    icon: "agent",
    hash: "#/agents",
    keys: "a",
    also: "mcp ai claude activity promote discard",
  },
] as const satisfies readonly ViewEntry[];

/** A page from static hosting sends no webhooks, and no agent reaches it. */
const OF_SERVERS: readonly string[] = ["hooks", "agents"];

/** The views of a server: all of them until it is known. */
export function viewsFor(overview: Overview | undefined): readonly (typeof VIEWS)[number][] {
  const all = VIEWS.filter(({ view }) => !OF_SERVERS.includes(view) || !IS_IN_WORKER);
  if (overview && !servesData(overview)) return all.filter((entry) => "isForExamples" in entry);
  const views = all.filter(({ view }) => view !== "examples");
  if (overview === undefined) return views.filter(({ view }) => view !== "record");
  const isThere = { history: overview.history !== null, record: isRecording(overview) };
  return views.filter(({ view }) => (view === "history" || view === "record" ? isThere[view] : true));
}
