import { parseExact } from "../../../base/json/exact/parse.ts";
import { indented } from "../../../base/json/large/stringify.ts";
import type { Sql } from "../connections/connection.ts";
import { tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";

/** Records fetched at a time. */
const ROWS = 1000;

/** Renders the whole database as a data file, piece by piece; call it in a transaction that reads one moment. */
export async function* renderDataFile(sql: Sql, onProgress: (records: number) => void): AsyncGenerator<string> {
  await sql`SET LOCAL statement_timeout = 0`;
  const members = await sql`SELECT name, kind, number, body FROM members ORDER BY position`;
  if (members.length === 0) {
    yield "{}\n";
    return;
  }
  yield "{\n";
  let done = 0;
  for (const [position, { name, kind, number, body }] of members.entries()) {
    yield `${position === 0 ? "" : ",\n"}  ${JSON.stringify(decodeText(name as string))}: `;
    if (kind !== "collection") {
      yield indented(parseExact(body as string), "  ");
      onProgress(++done);
      continue;
    }
    let isFirst = true;
    const rows = sql`SELECT body FROM ${sql(tableName(number as number))} ORDER BY slot`;
    for await (const page of rows.cursor(ROWS)) {
      const texts = page.map((row) => `    ${indented(parseExact(row.body as string), "    ")}`);
      if (texts.length > 0) yield `${isFirst ? "[\n" : ",\n"}${texts.join(",\n")}`;
      isFirst &&= texts.length === 0;
      done += texts.length;
      onProgress(done);
    }
    yield isFirst ? "[]" : "\n  ]";
  }
  yield "\n}\n";
}
