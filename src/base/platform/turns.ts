/** Calls a function in a later turn of the event loop. */
export const inLaterTurn: (run: () => void) => void = setImmediate;
