import type { StoredRecord } from "../../store/stored-record.ts";
import type { Exchange } from "../exchange.ts";
import type { Reply } from "../response/reply.ts";

/**
 * Gives the reply about one record another form than the record itself. Without a record, the reply holds something else:
 * parts of one, or nothing because it was removed.
 */
export type RecordShape = (reply: Reply, record: StoredRecord | undefined, exchange: Exchange) => Reply;
