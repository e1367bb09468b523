import { type JsonObject, parseJson } from "../../base/json/json.ts";
import type { Origin } from "../../store/history.ts";
import { eventOf } from "../../store/indexeddb/entry.ts";
import type { State } from "../../store/memory/state.ts";
import type { Change, Edit } from "../../store/store.ts";
import { editedRecord, type StoredRecord } from "../../store/stored-record.ts";
import type { JournalParts, SandboxJournal } from "./sandbox-journal.ts";
import type { SandboxHead, Step } from "./sandbox-log.ts";

const BY_OTHERS: Origin = { by: "other" };

/** Steps that other processes have stored. */
interface FollowedSteps {
  /** The data that the steps begin with, where that is not the present. */
  readonly from?: State | undefined;
  readonly steps: readonly Step[];
  /** The number of steps before them. */
  readonly known?: number;
  readonly head: SandboxHead;
}

/** Does the steps of other processes, behind the present data or behind `from`; writes wait. */
export async function followSteps(journal: SandboxJournal, followed: FollowedSteps): Promise<void> {
  const { data } = journal.parts();
  for (let isDone = false; !isDone; ) {
    await storedIn(journal);
    isDone = await data.alone(async () => {
      if (journal.storing) return false;
      await follow(journal, followed);
      return true;
    });
  }
}

/** Settles when nothing is being stored. */
export async function storedIn(journal: SandboxJournal): Promise<void> {
  while (journal.storing) await journal.storing;
}

async function follow(journal: SandboxJournal, { from, steps, known = 0, head }: FollowedSteps): Promise<void> {
  const { log } = journal;
  const parts = journal.parts();
  const { data, replace } = parts;
  // Nothing of this is stored again.
  journal.log = undefined;
  journal.isAstray = true;
  try {
    if (from) {
      data.baseline = from.fork();
      replace(from, BY_OTHERS);
    }
    for (const [position, step] of steps.entries()) {
      data.state.resume({ version: step.at, epoch: head.epoch });
      await repeat(journal, parts, step);
      if (known + position + 1 === head.baseline) data.baseline = data.state.fork();
    }
    // Exactly: the same version must mean the same data in every process.
    data.state.resume(head);
    journal.isAstray = false;
  } finally {
    journal.log = log;
  }
}

async function repeat(journal: SandboxJournal, { data, steps, replace }: JournalParts, step: Step): Promise<void> {
  const { entry, undo, swap } = step;
  if (swap !== undefined) replace(data.state.loadNext(parseJson<JsonObject>(swap)), BY_OTHERS);
  if (undo) await steps.undo(undo);
  const event = entry && eventOf(entry);
  if (event?.kind === "change") await journal.commit(knownChange(data.state, event.change), BY_OTHERS, entry?.receipt);
  else if (event?.kind === "members") await journal.alter(event.edit, BY_OTHERS);
  else if (entry?.receipt) await journal.keep(entry.receipt);
}

/** A change of another process with the records that are here: indexes know records by identity. */
function knownChange(state: State, { version, edits }: Change): Change {
  const latest = new Map<string, StoredRecord | undefined>();
  const known = edits.map((edit): Edit => {
    const { name, before, after } = edit;
    const key = `${editedRecord(edit).slot} ${name}`;
    const present = latest.has(key) ? latest.get(key) : before && presentRecord(state, edit);
    latest.set(key, after);
    return { name, before: before && (present ?? before), after };
  });
  return { version, edits: known };
}

function presentRecord(state: State, edit: Edit): StoredRecord | undefined {
  return state.collection(edit.name)?.records[state.positionOf(edit)] ?? state.singleton(edit.name);
}
