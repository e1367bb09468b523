/** What an entry of the browser's history keeps of its view, beside the address. */
interface EntryState {
  /** The address from which the entry was reached. */
  readonly from?: string;
  /** How far its list was scrolled. */
  readonly top?: number;
}

export function entryState(): EntryState {
  return (history.state as EntryState | null) ?? {};
}

/** Adds to the state of the current entry. */
export function keepInEntry(state: EntryState): void {
  history.replaceState({ ...entryState(), ...state }, "");
}
