import type { AlteredMember, Origin, RecordCounts } from "../../history.ts";
import type { MemberEdit } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { type Fragment, name as named, only, run, sql } from "../sql/fragment.ts";
import { type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import type { StoredIdKeys } from "../tables/stored-id-keys.ts";
import { BY_PROGRAM, breakSql, MAX_NEWEST_BYTES, type Noting, touchedLine } from "./noted-versions.ts";

/** The settings that noting a change of members needs. */
export interface NotingContext {
  readonly noting: Noting;
  readonly idKeys: StoredIdKeys;
  /** Who makes the change. */
  readonly origin?: Origin | undefined;
}

/** A member on one side of an exchange. `body` is that of a singleton or of data aside. */
interface Side extends Pick<KnownMember, "name" | "kind" | "number"> {
  readonly body: string | null;
}

/** The members before a version, in their order: with the primary key of a collection, or the text of data aside. */
export type Shape = readonly (readonly [name: string, kind: KnownMember["kind"], detail: string | null])[];

/** Notes the version that replaces all data, with everything that tells the new data from the old; both have their tables. */
export async function noteExchange(database: Sql, context: NotingContext, loaded: readonly Side[]): Promise<void> {
  const version = await begin(database, context, "exchange");
  if (version === undefined) return;
  const [former, present] = [await readMembers(database), new Map(loaded.map((side) => [side.name, side]))];
  const counts = new Map<string, RecordCounts>();
  const altered: AlteredMember[] = [];
  for (const name of new Set([...former.keys(), ...present.keys()])) {
    const [was, is] = [former.get(name), present.get(name)];
    if (was?.kind !== is?.kind) {
      if (was && was.kind !== "aside") altered.push({ kind: "removed", name });
      if (is && is.kind !== "aside") altered.push({ kind: "created", name });
    }
    const found = await noteDifferences(database, version, { name, idKey: context.idKeys.of(name), was, is });
    if (found.created + found.updated + found.removed > 0) counts.set(name, found);
  }
  const texts = [Object.fromEntries(counts), altered].map((value) => JSON.stringify(value));
  await run(database, sql`UPDATE history SET counts = ${texts[0]}, members = ${texts[1]} WHERE version = ${version}`);
  await end(database, version, altered);
}

/** Notes that a member comes, goes or gets another name; call it right before. */
export async function noteMembers(database: Sql, context: NotingContext, edit: MemberEdit): Promise<void> {
  const version = await begin(database, context, "members");
  if (version === undefined) return;
  const { kind, name } = edit;
  if (kind === "removed") {
    const was = (await readMembers(database)).get(name);
    await noteDifferences(database, version, { name, idKey: context.idKeys.of(name), was, is: undefined });
  }
  const altered: AlteredMember = kind === "renamed" ? { kind, name, to: edit.to } : { kind, name };
  await run(database, sql`UPDATE history SET members = ${JSON.stringify([altered])} WHERE version = ${version}`);
  await end(database, version, [altered]);
}

/** Adds the row of a version, without records yet; undefined where no history is kept. */
async function begin(database: Sql, context: NotingContext, kind: string): Promise<number | undefined> {
  const { noting, origin = {}, idKeys } = context;
  if (!noting.limits) {
    if (noting.hasPast) await run(database, breakSql(noting.now()));
    return undefined;
  }
  const members = await readMembers(database);
  const shape: Shape = [...members.values()].map((member) => [member.name, member.kind, detailOf(member, idKeys)]);
  const rows = await run<{ version: string }>(
    database,
    sql`INSERT INTO history (time, origin, cause, kind, edits, shape) VALUES (${noting.now()},
      ${encodeText(origin.by ?? BY_PROGRAM)}, ${origin.cause ?? null}, ${kind}, '', ${JSON.stringify(shape)})
      RETURNING version`,
  );
  return Number(only(rows).version);
}

function detailOf({ name, kind, body }: Side, idKeys: StoredIdKeys): string | null {
  if (kind === "collection") return idKeys.of(name);
  return kind === "aside" ? body : null;
}

/** Drops records that are too large to be kept, and lets the version be found by the members that it alters. */
async function end(database: Sql, version: number, altered: readonly AlteredMember[]): Promise<void> {
  const lines = altered.flatMap(({ name, to }) => [touchedLine(name), ...(to === undefined ? [] : [touchedLine(to)])]);
  const isTooLarge = sql`(bytes > ${MAX_NEWEST_BYTES} OR edits IS NULL)`;
  await run(
    database,
    sql`UPDATE history SET touched = touched || ${lines.join("")},
      edits = CASE WHEN ${isTooLarge} THEN NULL ELSE edits END, bytes = CASE WHEN ${isTooLarge} THEN 0 ELSE bytes END
      WHERE version = ${version}`,
  );
}

async function readMembers(database: Sql): Promise<Map<string, Side>> {
  const rows = await run<Side>(database, sql`SELECT name, kind, number, body FROM members ORDER BY position`);
  return new Map(rows.map((row) => [decodeText(row.name), { ...row, name: decodeText(row.name) }]));
}

interface Compared {
  readonly name: string;
  readonly idKey: string;
  readonly was: Side | undefined;
  readonly is: Side | undefined;
}

/** Adds the differences of one member to a version. The records never leave the database. */
async function noteDifferences(database: Sql, version: number, compared: Compared): Promise<RecordCounts> {
  const { name, was, is } = compared;
  const title = JSON.stringify(name);
  const record = (body: string, slot: string) =>
    sql`coalesce('[' || ${named(body)} || ',' || ${named(slot)} || ']', 'null')`;
  const isChanged = sql`before IS DISTINCT FROM after`;
  const fits = sql`(SELECT total FROM size) <= ${MAX_NEWEST_BYTES}`;
  const rows = await run<Record<keyof RecordCounts, number>>(
    database,
    sql`WITH differences AS (
      SELECT o.slot AS left_slot, o.body AS before, n.slot AS right_slot, n.body AS after, key, is_named
      FROM (${recordsSql(was, compared)}) AS o FULL JOIN (${recordsSql(is, compared)}) AS n USING (key, is_named, place)
      WHERE o.body IS DISTINCT FROM n.body OR o.slot IS DISTINCT FROM n.slot),
    size AS (SELECT coalesce(sum(coalesce(length(before), 0) + coalesce(length(after), 0) + 20), 0) AS total
      FROM differences),
    found AS (SELECT count(*) FILTER (WHERE before IS NULL)::int AS created,
      count(*) FILTER (WHERE ${isChanged} AND before IS NOT NULL AND after IS NOT NULL)::int AS updated,
      count(*) FILTER (WHERE after IS NULL)::int AS removed,
      string_agg('[' || ${title}::text || ',' || ${record("before", "left_slot")} || ',' || ${record("after", "right_slot")}
        || ']', ',' ORDER BY coalesce(right_slot, left_slot)) FILTER (WHERE ${isChanged} AND ${fits}) AS edits,
      string_agg(${`\n${encodeText(name)}\t`}::text || key || E'\n', '')
        FILTER (WHERE ${isChanged} AND is_named AND ${fits}) AS touched,
      string_agg('[' || left_slot || ',' || right_slot || ']', ',') FILTER (WHERE NOT (${isChanged}) AND ${fits}) AS moves
      FROM differences),
    noted AS (UPDATE history AS h SET bytes = h.bytes + total::bigint,
      edits = CASE WHEN ${fits} AND h.edits IS NOT NULL THEN concat_ws(',', nullif(h.edits, ''), f.edits) END,
      touched = h.touched || CASE WHEN f.edits IS NULL THEN '' ELSE ${touchedLine(name)} END || coalesce(f.touched, ''),
      moves = concat_ws(',', nullif(h.moves, ''), '[' || ${title}::text || ',[' || f.moves || ']]')
      FROM found AS f, size WHERE h.version = ${version})
    SELECT created, updated, removed FROM found`,
    false,
  );
  return only(rows);
}

/** The records of one side, each with what tells it from the others: its id, or without one its place. */
function recordsSql(side: Side | undefined, { idKey }: Compared): Fragment {
  if (side?.kind === "singleton") {
    return sql`SELECT 0::bigint AS slot, ${side.body}::text AS body, '' AS key, false AS is_named, 0::bigint AS place`;
  }
  if (side?.kind !== "collection") {
    return sql`SELECT 0::bigint AS slot, '' AS body, '' AS key, false AS is_named, 0::bigint AS place WHERE false`;
  }
  const id = sql`(doc -> ${encodeText(idKey)}::text)`;
  return sql`SELECT slot, body, coalesce(id, '') AS key, id IS NOT NULL AS is_named,
    CASE WHEN id IS NULL THEN slot ELSE row_number() OVER (PARTITION BY id ORDER BY slot) END AS place
    FROM (SELECT slot, body, CASE WHEN jsonb_typeof(${id}) IN ('number', 'string') THEN ${id} #>> '{}' END AS id
      FROM ${named(tableName(side.number))}) AS r`;
}
