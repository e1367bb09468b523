import { useState } from "preact/hooks";
import { parseJson } from "../../../api/json.ts";
import { uploadFile } from "../../../api/upload-file.ts";
import { type StoredFile, storedFilesIn } from "../../../records/stored-file.ts";
import { formatBytes } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import { useAttempt } from "../../../ui/use-attempt.ts";
import type { FieldInputProps } from "../field-input.tsx";
import { FilePreview } from "../file-preview.tsx";
import "./file-input.css";

/** A file of the record, or several: with a preview, a box to drop others on, and a button to choose them. */
export function FileInput({ id, draft, facts, isReadOnly, describedBy, isInvalid, onChange }: FieldInputProps) {
  const [upload, setUpload] = useState<{ readonly name: string; readonly part: number }>();
  const [isOver, setOver] = useState(false);
  const { refusal, isBusy, attempt } = useAttempt();
  const value = draft.kind === "json" ? parseJson(draft.text) : undefined;
  const files = storedFilesIn(value) ?? [];
  const isList = Array.isArray(value) || facts.known?.file === "list";
  const hold = (held: readonly StoredFile[]): void => {
    const [first] = held;
    const isEmpty = !isList && !first;
    const text = isEmpty ? "" : JSON.stringify(isList ? held : first, null, 2);
    onChange({ ...draft, kind: isEmpty ? "null" : "json", text, isFile: true });
  };
  const send = (chosen: readonly File[]): Promise<void> =>
    attempt(async () => {
      const stored: StoredFile[] = [];
      try {
        for (const file of isList ? chosen : chosen.slice(0, 1)) {
          setUpload({ name: file.name, part: 0 });
          const made = await uploadFile(file, (part) => setUpload({ name: file.name, part }));
          stored.push(...(storedFilesIn(made) ?? []));
        }
      } finally {
        setUpload(undefined);
        if (stored.length > 0) hold(isList ? [...files, ...stored] : stored);
      }
    });
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(event.type === "dragover");
    if (event.type === "drop" && !isReadOnly && !isBusy) void send([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <fieldset
      class={isOver ? "column file-input is-over" : "column file-input"}
      aria-label={`Files of ${draft.name}`}
      onDragOver={over}
      onDragLeave={over}
      onDrop={over}
    >
      {files.map((file, at) => (
        <div key={`${at} ${file.sha256}`} class="column">
          <p class="row">
            <bdi class="cut">{file.name}</bdi>
            <span class="soft">{formatBytes(file.size)}</span>
            {!isReadOnly && (
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${file.name}`}
                onClick={() => hold(files.toSpliced(at, 1))}
              >
                <Icon name="close" />
              </button>
            )}
          </p>
          <FilePreview file={file} />
        </div>
      ))}
      {!isReadOnly && (
        <input
          id={id}
          type="file"
          aria-label={draft.name}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          multiple={isList}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            void send([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
      )}
      {upload && <UploadProgress {...upload} />}
      {refusal && (
        <p class="field-errors" role="alert">
          {refusal.message}
        </p>
      )}
    </fieldset>
  );
}
