import { API_URL, BASE, inSandbox, SANDBOX } from "../../api/base.ts";
import { credentials } from "../../api/credentials.ts";
import { type ActiveFault, isActive } from "../../api/faults.ts";
import { type Overview, servesData } from "../../api/overview.ts";
import { formatParameters } from "../../api/parameters.ts";
import { openFaultDraft } from "../../lab/fault-draft.ts";
import { NEW_FAULT, PRESETS } from "../../lab/faults/presets.ts";
import { type NamedRecord, recentRecords } from "../../records/recent-records.ts";
import { lastChange, redoLast, undoLast } from "../../records/undoing.ts";
import { leaveFor } from "../../routes/leave-for.ts";
import { listRoute, type Route, recordRoute } from "../../routes/route.ts";
import { go } from "../../routes/use-route.ts";
import { putOnClipboard } from "../../ui/copy-button.tsx";
import { formatCount, plural } from "../../ui/format.ts";
import type { IconName } from "../../ui/icon.tsx";
import { offeredCommands } from "../../ui/offered-commands.ts";
import { switchFaults } from "../fault-pill.tsx";
import { open } from "../opened.ts";
import { theme, toggleTheme } from "../theme.ts";
import { signOut } from "../top-bar.tsx";
import { viewsFor } from "../views.ts";
import type { Finding } from "./find-records.ts";
import { fitOf, fitOfWords } from "./match.ts";

/** Something to go to, or to do. */
export interface Command {
  readonly group: "Recent" | "Records" | "Collections" | "Views" | "Actions" | "Sandboxes" | "Settings";
  readonly name: string;
  readonly icon: IconName;
  /** Beside the name. */
  readonly note?: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** Other words for it. */
  readonly also?: string;
  /** Found when something is typed; the list would be too long otherwise. */
  readonly isHidden?: boolean;
  /** How well it fits at least, for one that was found by more than its name. */
  readonly leastFit?: number;
  run(): void;
}

export interface Surroundings {
  readonly route: Route;
  readonly overview: Overview | undefined;
  readonly sandboxes: readonly { readonly name: string }[];
  readonly faults: readonly ActiveFault[];
}

/** Everything that can be gone to or done from here. */
export function commandsFor(around: Surroundings): Command[] {
  return [
    ...recentRecords().map((record) => recordCommand("Recent", record)),
    ...collectionCommands(around),
    ...viewCommands(around),
    ...actions(around),
    ...sandboxCommands(around),
    ...settings(),
  ];
}

function recordCommand(group: "Recent" | "Records", { collection, id, label }: NamedRecord): Command {
  const address = `${collection} ${id}`;
  return {
    group,
    name: label ?? address,
    icon: group === "Recent" ? "clock" : "data",
    ...(label !== undefined && { note: address }),
    run: () => go(recordRoute(collection, id)),
  };
}

/** What an id finds is meant; a record with the text somewhere inside comes after all that is called so. */
const FIT_BY_ID = 4;
const FIT_BY_TEXT = 0.5;

/** The records that were found in a collection, and a list of all where there are more. */
export function commandsFrom({ collection, records, total, isById }: Finding, typed: string): Command[] {
  const leastFit = isById ? FIT_BY_ID : FIT_BY_TEXT;
  const commands = records.map((record) => ({ ...recordCommand("Records", record), leastFit }));
  if (isById || total <= records.length) return commands;
  const run = (): void => go(listRoute(collection, formatParameters([["q", typed.trim()]])));
  const name = `All ${formatCount(total)} in ${collection}`;
  return [...commands, { group: "Records", name, icon: "search", leastFit: FIT_BY_TEXT, run }];
}

/** Those that fit what was typed, the best of each group first. */
export function choose(commands: readonly Command[], typed: string): Command[] {
  if (typed.trim() === "") return commands.filter(({ isHidden = false }) => !isHidden);
  return commands
    .map((command) => ({ command, fit: fitOfCommand(command, typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ command }) => command);
}

/** One word may be of the name, and the next one of the other words: "add sandbox". */
function fitOfCommand({ name, also = "", leastFit = 0 }: Command, typed: string): number {
  return Math.max(leastFit, fitOf(name, typed), 0.9 * fitOfWords(`${name} ${also}`, typed));
}

/** The most that are listed before something is typed. */
const MOST_COLLECTIONS = 6;
const MOST_SANDBOXES = 4;

function collectionCommands({ overview }: Surroundings): Command[] {
  return (overview?.members ?? []).map(({ name, kind, count }, index) => ({
    group: "Collections",
    name,
    icon: "data",
    note: kind === "collection" ? plural(count, "record") : "one object",
    isHidden: index >= MOST_COLLECTIONS,
    run: () => go(listRoute(name)),
  }));
}

function viewCommands({ overview }: Surroundings): Command[] {
  return viewsFor(overview).map(({ name, icon, hash, keys, also }) => ({
    group: "Views",
    name,
    icon,
    keys,
    also,
    run: () => {
      location.hash = hash;
    },
  }));
}

function actions({ overview, route, faults }: Surroundings): Command[] {
  const commands: Command[] = [];
  const add = (name: string, icon: IconName, run: () => void, more: Partial<Command> = {}): void => {
    commands.push({ group: "Actions", name, icon, run, ...more });
  };
  for (const { name, icon, also = "", run } of offeredCommands()) add(name, icon, run, { also, isHidden: true });
  const isWritable = overview !== undefined && !overview.readOnly;
  const hasData = overview !== undefined && servesData(overview);
  const collections = (overview?.members ?? []).filter(({ kind }) => kind === "collection");
  if (isWritable) {
    for (const { name } of collections) {
      const isHidden = route.view !== "data" || route.member !== name;
      const run = (): void => go({ view: "data", member: name, record: { kind: "new" }, query: "" });
      add(`New record in ${name}`, "plus", run, { also: "create add insert", isHidden });
    }
    if (hasData) add("New collection", "plus", () => open("new-collection"), { also: "create add table" });
  }
  if (isWritable && overview.sandboxes)
    add("New sandbox", "sandboxes", () => open("new-sandbox"), { also: "create add branch" });
  if (isWritable) {
    add("New fault", "fault", () => openFaultDraft(NEW_FAULT), { also: "create add faults error latency chaos" });
    for (const { name, about, rules } of PRESETS) {
      const more = { note: about, also: "preset", isHidden: true };
      add(`New fault: ${name}`, "fault", () => openFaultDraft(...rules), more);
    }
  }
  const active = faults.filter(isActive).length;
  const off = faults.filter((fault) => fault.off).length;
  if (isWritable && (active > 0 || off > 0)) {
    const name = active > 0 ? `Turn ${plural(active, "fault")} off` : `Turn ${plural(off, "fault")} on again`;
    add(name, "fault", () => void switchFaults(faults), { also: "faults errors switch pause" });
  }
  const { canUndo = false, canRedo = false } = (isWritable && lastChange.get()) || {};
  if (canUndo) add("Undo the last change", "undo", () => void undoLast(), { keys: "u" });
  if (canRedo) add("Redo the change", "redo", () => void redoLast(), { keys: "U" });
  if (overview?.snapshots) add("Save a snapshot", "snapshots", () => go({ view: "snapshots" }), { also: "backup" });
  if (isWritable && hasData)
    add("Reset the data", "undo", () => go({ view: "snapshots" }), { also: "restore", isHidden: true });
  add("Copy the address of the API", "copy", () => void putOnClipboard(API_URL), { note: API_URL });
  const download = (): unknown => window.open(`${BASE}/__openapi.json`, "_blank", "noreferrer");
  add("Download OpenAPI", "save", download, { also: "swagger openapi", isHidden: true });
  return commands;
}

function sandboxCommands({ sandboxes }: Surroundings): Command[] {
  const others = sandboxes.filter(({ name }) => name !== SANDBOX);
  const commands = others.map(
    ({ name }, index): Command => ({
      group: "Sandboxes",
      name: `Switch to ${name}`,
      icon: "sandboxes",
      also: "sandbox",
      isHidden: index >= MOST_SANDBOXES,
      run: () => leaveFor(inSandbox(name)),
    }),
  );
  if (SANDBOX === undefined) return commands;
  const back: Command = {
    group: "Sandboxes",
    name: "Switch to the main data",
    icon: "data",
    also: "leave sandbox",
    run: () => leaveFor(inSandbox(undefined)),
  };
  return [back, ...commands];
}

function settings(): Command[] {
  const isDark = theme.get() === "dark";
  const { apiKey, token } = credentials();
  const commands: Command[] = [
    {
      group: "Settings",
      name: isDark ? "Use light colours" : "Use dark colours",
      icon: isDark ? "sun" : "moon",
      keys: "t",
      also: "theme mode",
      run: toggleTheme,
    },
    {
      group: "Settings",
      name: "Keyboard shortcuts",
      icon: "keyboard",
      keys: "?",
      also: "help keys",
      run: () => open("help"),
    },
  ];
  if (apiKey !== "" || token !== "") {
    commands.push({
      group: "Settings",
      name: "Sign out",
      icon: "key",
      also: "forget key token credentials",
      run: signOut,
    });
  }
  return commands;
}
