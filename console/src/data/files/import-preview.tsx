import { ownValue } from "../../api/json.ts";
import { cellText } from "../../ui/cell-text.ts";
import { formatName, plural } from "../../ui/format.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { COLUMN_TYPES, type ColumnType } from "./cell-types.ts";
import { type ImportFile, type ReadRecords, typeOf } from "./import-file.ts";

const MOST_ROWS = 6;
/** Of JSON records; a file with more is imported with all of them. */
const MOST_COLUMNS = 30;

interface ImportPreviewProps {
  readonly file: ImportFile;
  readonly read: ReadRecords;
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly onType: (name: string, type: ColumnType) => void;
}

/** The first records as they will be, with the type of each column of a CSV file. */
export function ImportPreview({ file, read, types, onType }: ImportPreviewProps) {
  const { records, rejected } = read;
  const shown = records.slice(0, MOST_ROWS);
  const names =
    file.kind === "csv"
      ? file.columns.map(({ name }) => name)
      : [...new Set(shown.flatMap((record) => Object.keys(record)))].slice(0, MOST_COLUMNS);
  if (shown.length === 0) return null;
  return (
    <ScrollRegion look="preview" label="The first records of the file">
      <table>
        <thead>
          <tr>
            {names.map((name, at) => {
              const column = file.kind === "csv" ? file.columns[at] : undefined;
              return (
                <th key={at} scope="col">
                  <span class="cut">{formatName(name)}</span>
                  {column && (
                    <select
                      aria-label={`Type of ${formatName(name)}`}
                      value={typeOf(column, types)}
                      onChange={(event) => onType(name, event.currentTarget.value as ColumnType)}
                    >
                      {COLUMN_TYPES.map((type) => (
                        <option key={type}>{type}</option>
                      ))}
                    </select>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((record, row) => (
            <tr key={row}>
              {names.map((name, at) => {
                const value = ownValue(record, name);
                const wrong = rejected?.[row]?.[name];
                if (wrong !== undefined) {
                  return (
                    <td key={at} class="rejected">
                      <bdi>{cellText(wrong)}</bdi>
                    </td>
                  );
                }
                return (
                  <td key={at} class={typeof value === "number" ? "number" : undefined}>
                    {value === undefined ? <span class="nothing">Not set</span> : <bdi>{cellText(value)}</bdi>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {records.length > shown.length && <p class="hint">And {plural(records.length - shown.length, "more record")}.</p>}
    </ScrollRegion>
  );
}
