import { StandinError } from "../../base/errors.ts";

/** The most streams of one server: each keeps a connection open, and memory for a reader that is slow. */
const MAX_STREAMS = 500;

/** What all of them together may have still to fetch. */
const MAX_BACKLOG_BYTES = 256 * 1024 * 1024;

/** Counts the event streams that a server has open, those of its sandboxes among them. */
export class OpenStreams {
  count = 0;

  /** The share of each: where there are many, one that does not read is dropped earlier. */
  get maxBacklogBytes(): number {
    return MAX_BACKLOG_BYTES / this.count;
  }

  /** Throws if there are too many. Call it before the head of the response is sent. */
  expectRoom(): void {
    if (this.count < MAX_STREAMS) return;
    throw new StandinError(
      "STREAM_LIMIT",
      `${MAX_STREAMS} event streams are open, as many as a server allows. Close those that are not read any more, ` +
        "or read /__changes?wait=1000 instead.",
      { "Retry-After": "1" },
    );
  }
}
