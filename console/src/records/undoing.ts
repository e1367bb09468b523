import { writesSettled } from "../api/ask.ts";
import { BASE } from "../api/base.ts";
import { overview } from "../api/live-data.ts";
import type { Overview } from "../api/overview.ts";
import { asRefusal } from "../api/refusal.ts";
import { createStore } from "../api/store.ts";
import { lastSaid } from "../ui/said.ts";
import { Conflict } from "./conflict.ts";
import { revert } from "./revert.ts";
import type { SentWrite } from "./sent-write.ts";

/** A change made here, and the way back: the version that it has made, or requests where no history is kept. */
interface Step {
  readonly title: string;
  readonly made?: SentWrite["made"];
  readonly undo?: () => Promise<SentWrite>;
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
  if (made) return { title, made };
  return undo && { title, undo };
}

function takeBack({ made, undo }: Step): Promise<SentWrite> {
  return made ? revert(made.version, { place: made.place }) : (undo as () => Promise<SentWrite>)();
}

const PLACE = `standin-undo:${BASE}`;
/** The run of the server whose versions the steps name: another one may count anew. */
let run = "";

overview.listen((loaded) => {
  if (loaded.kind === "ready") followRun(loaded.value);
});

/** Goes on with the steps of this tab before it was loaded again, as far as the server still knows their versions. */
function followRun({ startedAt, history }: Overview): void {
  if (run === startedAt) return;
  const isLoaded = run !== "";
  run = startedAt;
  const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}") as Partial<KeptSteps>;
  const steps = !isLoaded && kept.run === run ? kept : {};
  const known = ({ made }: Step): boolean => made !== undefined && made.version <= (history?.latest ?? 0);
  undoable = (steps.undoable ?? []).filter(known);
  redoable = (steps.redoable ?? []).filter(known);
}

interface KeptSteps {
  readonly run: string;
  readonly undoable: readonly Step[];
  readonly redoable: readonly Step[];
}

function keepSteps(): void {
  const lasting = (steps: readonly Step[]): Step[] => steps.filter(({ made }) => made);
  const kept: KeptSteps = { run, undoable: lasting(undoable), redoable: lasting(redoable) };
  sessionStorage.setItem(PLACE, JSON.stringify(kept));
}

function tell(title: string, write: SentWrite): void {
  keepSteps();
  undoProblem.set("");
  lastSaid.set(undefined);
  lastChange.set({ title, write, canUndo: undoable.length > 0, canRedo: redoable.length > 0 });
}

/**
 * Takes the last change back that was made here and is not taken back yet; with `shown`, only while that is the last one:
 * the second half of a double click means the same change.
 */
export function undoLast(shown?: LastChange): Promise<void> {
  return inTurn(() => goBack("undone", shown));
}

/** Makes the change again that was taken back last. */
export function redoLast(shown?: LastChange): Promise<void> {
  return inTurn(() => goBack("redone", shown));
}

let lastTurn: Promise<void> = Promise.resolve();

/** Keys may be pressed faster than the server responds. */
function inTurn(work: () => Promise<void>): Promise<void> {
  lastTurn = lastTurn.then(work);
  return lastTurn;
}

async function goBack(done: "undone" | "redone", shown?: LastChange): Promise<void> {
  // The last change may still be on its way.
  await writesSettled();
  if (shown && shown !== lastChange.get()) return;
  const step = (done === "undone" ? undoable : redoable).at(-1);
  if (!step) {
    undoProblem.set(done === "undone" ? "Nothing to undo" : "Nothing to redo");
    return;
  }
  try {
    const write = await takeBack(step);
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
  }
}

function reasonOf(thrown: unknown): string {
  const { code, message } = asRefusal(thrown);
  return thrown instanceof Conflict || code === "REVERT_CONFLICT" ? "the record has changed since" : message;
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
