/** What the house tells the person at the terminal. Only commands print; everyone else is handed one of these. */
export interface Reporter {
  warn(text: string): void;
  /** A fault of ours: `thrown` may carry a stack, which is for the terminal alone. */
  fault(text: string, thrown: unknown): void;
  /** One answered request; undefined when nobody wants to hear of them, so that nobody measures for nothing. */
  readonly request: ((entry: RequestEntry) => void) | undefined;
}

export interface RequestEntry {
  method: string;
  /** The address as the client sent it, with secrets masked. */
  url: string;
  status: number;
  durationMs: number;
  bytes: number;
}

/** Tells nobody anything. */
export const silentReporter: Reporter = { warn() {}, fault() {}, request: undefined };
