import { useState } from "preact/hooks";
import { FormDialog } from "../../ui/form.tsx";
import { plural } from "../../ui/format.ts";
import { useAttempt } from "../../ui/use-attempt.ts";
import { addMembers, type NewMember } from "./add-members.ts";
import { type ReadDatabase, readDatabase } from "./read-database.ts";

/** Reads a data file or the records of a collection, shows what it contains, and adds it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [read, setRead] = useState<ReadDatabase>();
  const { refusal, setRefusal, isBusy, attempt } = useAttempt();
  const take = async (file: File | undefined): Promise<void> => {
    setRefusal(undefined);
    setRead(file && readDatabase(await file.text(), file.name));
  };
  const members = read?.kind === "members" ? read.members : [];
  const send = async (): Promise<void> => {
    await addMembers(members);
    onClose();
  };
  return (
    <FormDialog
      title="Import a file"
      action={isBusy ? "Importing…" : "Import"}
      refusal={refusal}
      isDisabled={members.length === 0}
      isBusy={isBusy}
      onSubmit={() => attempt(send)}
      onClose={onClose}
    >
      <div class="field">
        <label for="import-file">Data file</label>
        <input
          id="import-file"
          data-first
          type="file"
          accept=".json,.csv,application/json,text/csv"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <p class="hint">
          JSON with all collections, as in <code>{'{ "products": [{ "id": 1 }] }'}</code>, or the records of one as JSON
          or CSV.
        </p>
      </div>
      {read?.kind === "problem" && (
        <p class="problem" role="alert">
          {read.message}
        </p>
      )}
      {members.length > 0 && (
        <ul class="found-list" aria-label="Found in the file">
          {members.map((member) => (
            <li key={member.name}>
              <strong class="cut">{member.name}</strong>
              <span class="soft">{extentOf(member)}</span>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}

function extentOf(member: NewMember): string {
  return member.kind === "collection" ? plural(member.records.length, "record") : "one object";
}
