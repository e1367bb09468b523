import { useState } from "preact/hooks";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../api/json.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { nestedDifferences } from "../records/comparison/nested-differences.ts";
import { cellText } from "../ui/cell-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { type ReceivedResponse, ResponseBody } from "./response-body.tsx";

const MOST_ROWS = 200;
const MOST_COLUMNS = 30;

type Look = "text" | "table" | "changes";

interface ResponseViewsProps {
  readonly outcome: ReceivedResponse;
  /** The response to the same request before. */
  readonly previous: ReceivedResponse | undefined;
}

/** The body as text, as a table if it is a list of records, and against the one before. */
export function ResponseViews({ outcome, previous }: ResponseViewsProps) {
  const [look, setLook] = useState<Look>("text");
  const value = parseJson(outcome.text);
  const records = recordsIn(value);
  const before = previous && parseJson(previous.text);
  const tabs: (readonly [Look, string])[] = [["text", "Text"]];
  if (records) tabs.push(["table", "Table"]);
  if (before !== undefined && value !== undefined) tabs.push(["changes", "Changes"]);
  const shown = tabs.some(([name]) => name === look) ? look : "text";
  return (
    <>
      <div class="cluster card-head">
        {tabs.length > 1 && <Tabs label="Show the body as" tabs={tabs} chosen={shown} onChoose={setLook} />}
        {outcome.text !== "" && <CopyButton text={outcome.text} label="Copy response" />}
      </div>
      {shown === "text" && <ResponseBody outcome={outcome} label="Body of the response" />}
      {shown === "table" && records && <RecordsTable records={records} />}
      {shown === "changes" && before !== undefined && value !== undefined && <Changes before={before} after={value} />}
    </>
  );
}

function RecordsTable({ records }: { records: readonly JsonObject[] }) {
  const shown = records.slice(0, MOST_ROWS);
  const names = [...new Set(shown.flatMap((record) => Object.keys(record)))].slice(0, MOST_COLUMNS);
  return (
    <>
      <ScrollRegion look="response-table" label="The records of the response">
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((record, row) => (
              <tr key={row}>
                {names.map((name) => (
                  <td key={name}>
                    <bdi>{cellText(record[name])}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {records.length > shown.length && <p class="hint">And {plural(records.length - shown.length, "more record")}.</p>}
    </>
  );
}

function Changes({ before, after }: { before: Json; after: Json }) {
  const [was, is] = [byId(before), byId(after)];
  if (nestedDifferences(was, is).length === 0)
    return <p class="hint">The body is the same as that of the last response.</p>;
  const change = { collection: "", id: null, kind: "changed", before: was, after: is } as const;
  return <ChangeCard change={change} title="Since the last response" states={["Last", "Now"]} />;
}

/** A body as fields to compare: the records of a list by their ids, so that one more does not change all behind it. */
function byId(value: Json): JsonObject {
  const records = recordsIn(value);
  if (records?.every(({ id }) => typeof id === "string" || typeof id === "number")) {
    return Object.fromEntries(records.map((record) => [String(record.id), record]));
  }
  return isJsonObject(value) ? value : { body: value };
}

/** Undefined if the body is anything else than a list of records. */
function recordsIn(value: Json | undefined): readonly JsonObject[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject) ? value : undefined;
}
