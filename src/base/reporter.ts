/** Messages for the person at the terminal. Only commands print; everything else is given a reporter. */
export interface Reporter {
  /** Something happened that needs no action. */
  note(text: string): void;
  /** Something worked that the person has just caused, such as a reload. */
  done(text: string): void;
  warn(text: string): void;
  /** A bug or a failure on our side. The stack of `thrown` is for the terminal only. */
  fault(text: string, thrown: unknown): void;
  /** Called after each response; undefined while requests are not logged, so that nothing is measured for them. */
  readonly request: ((entry: AccessEntry) => void) | undefined;
}

export interface AccessEntry {
  method: string;
  /** The address as the client sent it, with secrets masked. */
  url: string;
  status: number;
  durationMs: number;
  bytes: number;
  /** The name of the sandbox it was for. */
  sandbox?: string | undefined;
  /** Whether a fault was made on purpose. */
  hasFault?: boolean;
  /** Why it was refused, where the response may not say that. */
  refusal?: string | undefined;
}

/** Discards every message. */
export const silentReporter: Reporter = { note() {}, done() {}, warn() {}, fault() {}, request: undefined };
