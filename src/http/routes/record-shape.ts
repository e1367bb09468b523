import type { StoredRecord } from "../../store/stored-record.ts";
import type { Call } from "../call.ts";
import type { Reply } from "../response/reply.ts";

/** Another form of the replies about one record than the record itself. */
export interface RecordShape {
  /** The end of its tags. */
  readonly mark: string;
  readonly respond: RespondInShape;
}

/**
 * Gives the reply about one record another form than the record itself. Without a record, the reply holds something else:
 * parts of one, or nothing because it was removed.
 */
type RespondInShape = (reply: Reply, record: StoredRecord | undefined, call: Call) => Reply;
