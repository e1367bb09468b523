import { type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { Change, Edit, MemberEdit } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { Sql } from "../connections/connection.ts";
import { type Fragment, sql } from "../sql/fragment.ts";

/** A notification is limited to 8000 bytes; larger changes are stored in a table, and only their id is sent. */
const MAX_NOTICE_BYTES = 7900;

/**
 * A message between processes: changes, the id of stored changes, a member that came or went, that all data was replaced, or
 * that settings of all processes have changed.
 */
type Notice =
  | { readonly changes: readonly SentChange[] }
  | { readonly reference: string }
  | { readonly member: MemberEdit }
  | { readonly replaced: true }
  | { readonly told: true };

interface SentChange {
  readonly version: number;
  readonly edits: readonly { name: string; before?: SentRecord; after?: SentRecord }[];
}

type SentRecord = [value: Json, version: number, slot: number];

/** Announces changes to all processes when the transaction is committed. */
export function announceSql(channel: string, changes: readonly Change[]): Fragment {
  const sent = changes.map(({ version, edits }): SentChange => ({ version, edits: edits.map(sentEdit) }));
  const notice = stringifyJson({ changes: sent } satisfies Notice);
  if (Buffer.byteLength(notice) <= MAX_NOTICE_BYTES) return sql`SELECT pg_notify(${channel}, ${notice})`;
  return sql`WITH stored AS (INSERT INTO changes (body) VALUES (${stringifyJson(sent)}) RETURNING id)
    SELECT pg_notify(${channel}, json_build_object('reference', id::text)::text) FROM stored`;
}

export async function announceReplacement(database: Sql, channel: string): Promise<void> {
  await database`SELECT pg_notify(${channel}, ${JSON.stringify({ replaced: true } satisfies Notice)})`;
}

export async function announceMember(database: Sql, channel: string, member: MemberEdit): Promise<void> {
  await database`SELECT pg_notify(${channel}, ${JSON.stringify({ member } satisfies Notice)})`;
}

/** Tells all processes that the clock or the hooks have changed. */
export function tellSql(channel: string): Fragment {
  return sql`SELECT pg_notify(${channel}, ${TOLD})`;
}

export const TOLD = JSON.stringify({ told: true } satisfies Notice);

/** Whether a message is for all processes, with listeners or without: their catalogues are outdated. */
export function isAboutMembers(payload: string): boolean {
  return payload.startsWith('{"member":') || payload.startsWith('{"replaced":');
}

/** Makes all processes announce their changes. Each notices it by the new edition of the next member it writes to. */
export async function requestAnnouncements(database: Sql): Promise<void> {
  await database`WITH request AS (INSERT INTO meta VALUES ('announce', 'yes') ON CONFLICT DO NOTHING RETURNING key)
    UPDATE members SET edition = edition + 1 WHERE EXISTS (SELECT FROM request)`;
}

/** Reads a notification; its changes are fetched if it only has their id. Undefined when all data was replaced. */
export async function readNotice(database: Sql, payload: string): Promise<Change[] | MemberEdit | undefined> {
  const notice = parseJson(payload) as Notice;
  if ("replaced" in notice || "told" in notice) return undefined;
  if ("member" in notice) return notice.member;
  if ("changes" in notice) return notice.changes.map(receivedChange);
  const [row] = await database<{ body: string }[]>`SELECT body FROM changes WHERE id = ${notice.reference}`;
  return row ? parseJson<SentChange[]>(row.body as string).map(receivedChange) : undefined;
}

/** Removes changes that every listener has fetched long ago, and writes whose outcome is no longer in question. */
export async function removeOldChanges(database: Sql): Promise<void> {
  await database`DELETE FROM writes WHERE made_at < now() - interval '10 minutes'`;
  await database`DELETE FROM changes WHERE made_at < now() - interval '10 minutes'`;
}

function sentEdit({ name, before, after }: Edit): SentChange["edits"][number] {
  return { name, ...(before ? { before: sentRecord(before) } : {}), ...(after ? { after: sentRecord(after) } : {}) };
}

function sentRecord({ value, version, slot }: StoredRecord): SentRecord {
  return [value, version, slot];
}

function receivedChange({ version, edits }: SentChange): Change {
  const record = (sent: SentRecord | undefined) => sent && new StoredRecord(...sent);
  return {
    version,
    edits: edits.map(({ name, before, after }) => ({ name, before: record(before), after: record(after) })),
  };
}
