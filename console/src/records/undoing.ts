import { asRefusal } from "../api/refusal.ts";
import { createStore } from "../api/store.ts";
import { lastSaid } from "../ui/said.ts";
import { Conflict } from "./conflict.ts";
import { revert } from "./revert.ts";
import type { SentWrite } from "./sent-write.ts";

/** A change made here, and the way back. */
interface Step {
  readonly title: string;
  readonly undo: () => Promise<SentWrite>;
}

/** The last thing that was done here, and what can be done about it. */
export interface LastChange {
  readonly title: string;
  readonly write: SentWrite;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export const lastChange = createStore<LastChange | undefined>(undefined);
/** Why the last undoing failed, if it did. */
export const undoProblem = createStore("");

const MOST_STEPS = 100;
let undoable: Step[] = [];
let redoable: Step[] = [];

/**
 * Makes a change the last one. The server reverts the version that it has made; `undo` is the way back where no history is
 * kept, and leads one step back.
 */
export function announce(title: string, write: SentWrite, undo?: () => Promise<SentWrite>): void {
  const step = stepOf(title, write, undo);
  redoable = [];
  const before = write.made ? undoable : [];
  undoable = step ? [...before, step].slice(-MOST_STEPS) : [];
  tell(title, write);
}

function stepOf(title: string, { made }: SentWrite, undo?: () => Promise<SentWrite>): Step | undefined {
  if (made) return { title, undo: () => revert(made.version, { place: made.place }) };
  return undo && { title, undo };
}

function tell(title: string, write: SentWrite): void {
  undoProblem.set("");
  lastSaid.set(undefined);
  lastChange.set({ title, write, canUndo: undoable.length > 0, canRedo: redoable.length > 0 });
}

/** Takes the last change back that was made here and is not taken back yet. */
export function undoLast(): Promise<void> {
  return goBack("undone", undoable);
}

/** Makes the change again that was taken back last. */
export function redoLast(): Promise<void> {
  return goBack("redone", redoable);
}

let isAtWork = false;

async function goBack(done: "undone" | "redone", steps: readonly Step[]): Promise<void> {
  const step = steps.at(-1);
  if (isAtWork) return;
  if (!step) {
    undoProblem.set(done === "undone" ? "Nothing to undo" : "Nothing to redo");
    return;
  }
  isAtWork = true;
  try {
    const write = await step.undo();
    const back = stepOf(step.title, write);
    if (done === "undone") {
      undoable = undoable.filter((one) => one !== step);
      if (back) redoable = [...redoable, back];
    } else {
      redoable = redoable.filter((one) => one !== step);
      if (back) undoable = [...undoable, back];
    }
    tell(`${done === "undone" ? "Undone" : "Redone"}: ${lowered(step.title)}`, write);
  } catch (thrown) {
    undoProblem.set(`Not ${done}: ${reasonOf(thrown)}`);
  } finally {
    isAtWork = false;
  }
}

function reasonOf(thrown: unknown): string {
  const { code, message } = asRefusal(thrown);
  return thrown instanceof Conflict || code === "REVERT_CONFLICT" ? "the record has changed since" : message;
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
