import { useMemo, useRef, useState } from "preact/hooks";
import { idKeyOf } from "../../api/overview.ts";
import { asRefusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { formatBytes, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { Select } from "../../ui/select.tsx";
import type { ColumnType } from "./cell-types.ts";
import { type PlaceProblem, readImport, recordsIn } from "./import-file.ts";
import { ImportPreview } from "./import-preview.tsx";
import { importRequest, problemsOf, type Resolution } from "./import-request.ts";
import { importRecords, MAX_BYTES, UNDOABLE } from "./import-write.ts";
import "./files.css";

/** More problems than this are counted, not listed. */
const MOST_LISTED = 20;

interface ImportDialogProps {
  readonly collection: string;
  readonly onClose: () => void;
}

interface Source {
  /** Of the file; undefined for pasted text. */
  readonly name: string | undefined;
  readonly text: string;
}

/** Reads a file, shows what it holds, and creates all of its records or none. */
export function ImportDialog({ collection, onClose }: ImportDialogProps) {
  const overview = useOverview();
  const [source, setSource] = useState<Source>();
  const [text, setText] = useState("");
  const [tooLarge, setTooLarge] = useState<string>();
  const take = async (file: File): Promise<void> => {
    if (file.size > MAX_BYTES) {
      setTooLarge(
        `${file.name} has ${formatBytes(file.size)}, and one request may have ${formatBytes(MAX_BYTES)}. Import it in parts, or start the server with it.`,
      );
    } else {
      setTooLarge(undefined);
      setSource({ name: file.name, text: await file.text() });
    }
  };
  return (
    <Dialog title={`Import into ${collection}`} shape="box" onClose={onClose}>
      {source ? (
        <Import
          key={source.text.length}
          {...{ overview, collection, source, onClose }}
          onBack={() => setSource(undefined)}
        />
      ) : (
        <Choose
          {...{ text, setText }}
          problem={tooLarge}
          onFile={(file) => void take(file)}
          onText={() => setSource({ name: undefined, text })}
        />
      )}
    </Dialog>
  );
}

interface ChooseProps {
  /** Kept by the dialog: it is there again when the person comes back to mend it. */
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly problem: string | undefined;
  readonly onFile: (file: File) => void;
  readonly onText: () => void;
}

/** A file, dropped or chosen, or pasted text. */
function Choose({ text, setText, problem, onFile, onText }: ChooseProps) {
  const [isOver, setOver] = useState(false);
  return (
    <Form class="stack import" onSubmit={onText}>
      <label
        class={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer?.files[0];
          if (file) onFile(file);
        }}
      >
        <Icon name="import" />
        <span>
          <strong>Choose a file</strong> or drop it here
        </span>
        <span class="hint">CSV with names in the first line, a JSON list, or one JSON object on each line</span>
        <input
          type="file"
          data-first
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
          onChange={({ currentTarget: { files } }) => {
            if (files?.[0]) onFile(files[0]);
          }}
        />
      </label>
      {problem !== undefined && (
        <p class="field-errors" role="alert">
          {problem}
        </p>
      )}
      <Labelled label="Or paste it">
        <textarea
          class="mono"
          rows={4}
          spellcheck={false}
          placeholder={"name,price\nSteel Hat,10"}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Labelled>
      <div class="cluster actions">
        <Button isDisabled={text.trim() === ""}>Preview</Button>
      </div>
    </Form>
  );
}

interface ImportProps extends ImportDialogProps {
  readonly source: Source;
  readonly onBack: () => void;
}

function Import({ collection, source, onBack, onClose }: ImportProps) {
  const overview = useOverview();
  const { members, fields } = overview;
  // The types that fields have now, not those after the import.
  const read = useEvent(({ text }: Source) => readImport(text, fields[collection] ?? []));
  const file = useMemo(() => read(source), [read, source]);
  const [types, setTypes] = useState<Readonly<Record<string, ColumnType>>>({});
  const found = useMemo(() => recordsIn(file, types), [file, types]);
  const { records, places, problems } = found;
  const idKey = idKeyOf(overview, collection);
  const hasIds = useMemo(() => records.some((record) => Object.hasOwn(record, idKey)), [records, idKey]);
  const [resolution, setResolution] = useState<Resolution>("refuse");
  const [refused, setRefused] = useState<readonly PlaceProblem[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isAtWork = useRef(false);
  const save = async (): Promise<void> => {
    if (isAtWork.current) return;
    isAtWork.current = true;
    setBusy(true);
    setRefused([]);
    try {
      const request = importRequest(collection, records, hasIds ? resolution : "refuse");
      await importRecords(request, `Imported ${plural(records.length, "record")} into ${collection}`, members);
      onClose();
    } catch (thrown) {
      setRefused(problemsOf(asRefusal(thrown), places));
    } finally {
      isAtWork.current = false;
      setBusy(false);
    }
  };
  const listed = problems.length > 0 ? problems : refused;
  return (
    <Form class="stack import" onSubmit={() => save()}>
      <div class="row import-source">
        <span class="cut">
          {plural(records.length, "record")} in <strong>{source.name ?? "the pasted text"}</strong>
        </span>
        <Button look="small" onClick={onBack}>
          Choose another
        </Button>
      </div>
      <ImportPreview
        file={file}
        read={found}
        types={types}
        onType={(name, type) => {
          setTypes({ ...types, [name]: type });
          setRefused([]);
        }}
      />
      {hasIds && (
        <Labelled label={`If there is a record with the same ${idKey} already`}>
          <Select
            value={resolution}
            options={[
              ["refuse", "Import nothing"],
              ["update", "Update it with the fields of the file"],
              ["skip", "Leave it as it is"],
            ]}
            onChoose={(chosen) => {
              setResolution(chosen);
              setRefused([]);
            }}
          />
        </Labelled>
      )}
      {listed.length > 0 && <Problems problems={listed} />}
      <p class="hint">
        All of them are imported in one change, or none.{" "}
        {records.length > UNDOABLE && !overview.history
          ? `More than ${plural(UNDOABLE, "new record")} cannot be undone in one step: save a snapshot first if you may want that.`
          : "You can undo it in one step."}
      </p>
      <div class="cluster actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={isBusy} isDisabled={problems.length > 0 || records.length === 0}>
          {isBusy ? "Importing…" : `Import ${plural(records.length, "record")}`}
        </Button>
      </div>
    </Form>
  );
}

function Problems({ problems }: { problems: readonly PlaceProblem[] }) {
  const hidden = problems.length - MOST_LISTED;
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>Nothing can be imported yet</strong>
        <ul class="line-problems">
          {problems.slice(0, MOST_LISTED).map(({ place, message }, at) => (
            <li key={at}>
              {place !== "" && <strong>{place}: </strong>}
              {message}
            </li>
          ))}
          {hidden > 0 && <li>And {plural(hidden, "more problem")}.</li>}
        </ul>
      </div>
    </div>
  );
}
