import type { Sighting } from "./proxy/upstream-proxy.ts";
import type { RecordingSummary, SavedRecording } from "./types.ts";

/** A recording as the command that makes it hands it over. */
export interface GivenRecording {
  readonly recorder: { see(sighting: Sighting): void; stop(): void; summary(): RecordingSummary };
  save(): Promise<SavedRecording>;
  /** Ends the server, once the response is sent. */
  stop(): void;
}
