import { useEffect, useRef, useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { download } from "../../ui/download.ts";
import { Form } from "../../ui/form.tsx";
import { formatCount, plural } from "../../ui/format.ts";
import { Problem } from "../../ui/notice.tsx";
import { parseListQuery } from "../list-query.ts";
import type { Picked } from "../rows/bulk.ts";
import { countSelected } from "../rows/selection.ts";
import type { Column } from "../table/columns.ts";
import { exportFile } from "./export-file.ts";
import type { ExportWish } from "./export-request.ts";
import "./files.css";

interface ExportDialogProps {
  readonly picked: Picked;
  /** The columns of the table. */
  readonly shown: readonly Column[];
  readonly onClose: () => void;
}

const ALL = parseListQuery("");

/** Saves records as a file. */
export function ExportDialog({ picked, shown, onClose }: ExportDialogProps) {
  const overview = useOverview();
  const { collection, idKey, query, total, selection } = picked;
  const all = overview.members.find(({ name }) => name === collection)?.count ?? total;
  const pickedCount = countSelected(selection, total);
  const [format, setFormat] = useState<ExportWish["format"]>("csv");
  const [which, setWhich] = useState<"picked" | "matching" | "all">(pickedCount > 0 ? "picked" : "matching");
  const [hasShownOnly, setShownOnly] = useState(true);
  const [keepsFormulas, setKeepsFormulas] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const count = which === "picked" ? pickedCount : which === "matching" ? total : all;
  const save = async (): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const wish: ExportWish = {
        ...{ collection, idKey, format, keepsFormulas },
        query: which === "all" ? ALL : query,
        selection: which === "picked" ? selection : undefined,
        columns: hasShownOnly ? shown.map(({ name }) => name) : undefined,
      };
      download(`${collection.replace(/[\\/:*?"<>|]/g, "-")}.${format}`, await exportFile(wish, leaving.current.signal));
      onClose();
    } catch (thrown) {
      if (!leaving.current.signal.aborted) setRefusal(asRefusal(thrown));
    } finally {
      setBusy(false);
    }
  };
  const records = [
    ...(pickedCount > 0 ? [["picked", `Selected (${formatCount(pickedCount)})`] as const] : []),
    ["matching", `All that the list shows (${formatCount(total)})`] as const,
    ...(all > total ? [["all", `The whole collection (${formatCount(all)})`] as const] : []),
  ];
  return (
    <Dialog title={`Export ${collection}`} shape="box" onClose={onClose}>
      <Form class="stack" onSubmit={() => save()}>
        <Choices legend="Format" value={format} onChange={setFormat} choices={FORMATS} />
        <Choices legend="Records" value={which} onChange={setWhich} choices={records} />
        <Choices
          legend="Fields"
          value={hasShownOnly ? "shown" : "all"}
          onChange={(value) => setShownOnly(value === "shown")}
          choices={[
            ["shown", `The columns of the table (${formatCount(shown.length)})`],
            ["all", "All fields"],
          ]}
        />
        {format === "csv" && (
          <label class="check">
            <input
              type="checkbox"
              checked={keepsFormulas}
              onChange={(event) => setKeepsFormulas(event.currentTarget.checked)}
            />
            Leave texts that begin with = + - @ as they are
          </label>
        )}
        {format === "csv" && (
          <p class="hint">
            A spreadsheet runs such texts as formulas. So they get an apostrophe in front, which an import here takes
            away again. Null and missing fields are empty, lists and objects are JSON.
          </p>
        )}
        {refusal && <Problem refusal={refusal} />}
        <div class="cluster actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={isBusy} isFirst>
            {isBusy ? "Exporting…" : `Export ${plural(count, "record")}`}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const FORMATS = [
  ["csv", "CSV, for spreadsheets"],
  ["json", "JSON"],
] as const;

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}

function Choices<T extends string>({ legend, value, choices, onChange }: ChoicesProps<T>) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {choices.map(([one, words]) => (
        <label key={one}>
          <input type="radio" name={legend} checked={one === value} onChange={() => onChange(one)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
