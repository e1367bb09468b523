import { useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { noteChange } from "../api/live-data.ts";
import { madeBy } from "../records/sent-write.ts";
import { announce } from "../records/undoing.ts";
import { FormDialog } from "../ui/form.tsx";
import { plural } from "../ui/format.ts";
import { Labelled } from "../ui/labelled.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

const MOST = 10_000;

/** Creates any number of plausible records in a collection, as one change. */
export function GenerateRecordsDialog({ collection, onClose }: { collection: string; onClose: () => void }) {
  const [text, setText] = useState("10");
  const { refusal, isBusy, attempt } = useAttempt();
  const count = Number(text);
  const generate = (): Promise<void> =>
    attempt(async () => {
      const path = `/__collections/${encodeURIComponent(collection)}/generate`;
      const body = { count };
      const answer = await ask("POST", path, { body });
      noteChange();
      const { status, durationMs } = answer;
      const write = { method: "POST", path, headers: [], body, status, durationMs, made: madeBy(answer) };
      announce(`Created ${plural(count, "record")} of ${collection}`, write);
      onClose();
    });
  return (
    <FormDialog
      title={`Generate records of ${collection}`}
      action={count > 0 ? `Create ${plural(count, "record")}` : "Create"}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={generate}
      onClose={onClose}
    >
      <Labelled label="Number of records">
        <input
          data-first
          type="number"
          required
          min={1}
          max={MOST}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Labelled>
      <p class="hint">
        They get plausible values by the rules, the names of the fields and the records that are there. References lead
        to records that exist. You can undo it in one step if the server keeps a history.
      </p>
    </FormDialog>
  );
}
