import type { MemoryStore } from "../../store/memory/memory-store.ts";
import type { State } from "../../store/memory/state.ts";
import type { SandboxJournal } from "./sandbox-journal.ts";
import type { Promotion } from "./types.ts";

/** A private view of the data: a copy from its creation, and the writes made in it. */
export interface Sandbox {
  readonly name: string;
  readonly store: MemoryStore;
  readonly journal: SandboxJournal;
  /** The load of the main data that it began with. */
  load: string;
  createdAt: number;
  usedAt: number;
  /** Settles when the last promotion has ended, whether it succeeded or not. */
  promoting?: Promise<void>;
}

/** The main data that a sandbox begins with. */
export interface SandboxBirth {
  readonly from: "current" | "empty";
  readonly birth: number;
}

/** The main data that a new sandbox begins with, and its load. */
export interface MainData {
  readonly state: State;
  readonly load: string;
}

/** Keeps sandboxes where they outlive this run, and where other processes may find them. */
export interface SandboxKeeper {
  begin(sandbox: Sandbox, birth: SandboxBirth): void;
  noteUse(sandbox: Sandbox): void;
  /** Removes a sandbox; one that has expired may still be used by another process. */
  forget(name: string, isExpired: boolean): void;
  /** The main data, as last prepared, where it is not in memory. */
  readonly main?: MainData | undefined;
  /** The number of sandboxes that are not in memory. */
  readonly others?: number;
  /** Reads the main data for a new sandbox. */
  prepare?(): Promise<void>;
  /** Takes over what other processes have done to all sandboxes. */
  arriveAll?(): Promise<void>;
  /** Runs a promotion, and keeps the writes of all processes waiting. */
  promote?(sandbox: Sandbox, run: () => Promise<Promotion>): Promise<Promotion>;
}
