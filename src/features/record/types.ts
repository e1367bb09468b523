/** The facts of a recording so far, for people: names and counts, never a value that was redacted. */
export interface RecordingSummary {
  readonly upstream: string;
  readonly isRecording: boolean;
  readonly exchanges: number;
  readonly operations: readonly { readonly method: string; readonly path: string; readonly count: number }[];
  readonly collections: readonly { readonly name: string; readonly count: number }[];
  readonly redactions: readonly { readonly name: string; readonly count: number }[];
  /** Exchanges that went by unrecorded, by the reason. */
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
}

/** The files that a recording was saved to. */
export interface SavedRecording {
  readonly files: readonly string[];
  /** The command line that serves the recording. */
  readonly serve: string;
}
