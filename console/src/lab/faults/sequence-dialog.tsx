import { useId, useState } from "preact/hooks";
import { SANDBOX } from "../../api/base.ts";
import { type ActiveFault, addFault } from "../../api/faults.ts";
import { Refusal } from "../../api/refusal.ts";
import { FormDialog } from "../../ui/form.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { formOf, matchOf } from "./fault-form.ts";
import { readSequence, sequenceRules, stepWords } from "./fault-sequence.ts";
import { RequestFields } from "./request-fields.tsx";

interface SequenceDialogProps {
  readonly sandboxes: readonly string[];
  readonly onAdded: (added: readonly ActiveFault[]) => void;
  readonly onClose: () => void;
}

const FIRST = "2 x 503, then 200 after 3 s";

/** Faults that follow each other, written as one line: one request after the other meets the next. */
export function SequenceDialog({ sandboxes, onAdded, onClose }: SequenceDialogProps) {
  const [text, setText] = useState(FIRST);
  const [form, setForm] = useState(() => ({ ...formOf([]), sandbox: SANDBOX ?? "" }));
  const { refusal, isBusy, attempt } = useAttempt();
  const read = readSequence(text);
  const rules = read.kind === "steps" ? sequenceRules(read.steps, matchOf(form)) : [];
  return (
    <FormDialog
      title="New sequence"
      action="Add sequence"
      refusal={refusal}
      isDisabled={read.kind === "problem"}
      isBusy={isBusy}
      onSubmit={() =>
        attempt(async () => {
          if (rules.length === 0) throw new Refusal(0, "", "Nothing to add", "No step is a fault: write “2 x 503”.");
          onAdded(await addFault(...rules));
        })
      }
      onClose={onClose}
    >
      <SequenceInput text={text} onInput={setText} />
      <div class="fault-form">
        <RequestFields form={form} sandboxes={sandboxes} onChange={setForm} />
      </div>
    </FormDialog>
  );
}

/** The line, and what it comes to. */
export function SequenceInput({ text, onInput }: { text: string; onInput: (text: string) => void }) {
  const about = useId();
  const read = readSequence(text);
  return (
    <>
      <Labelled label="What happens, request by request">
        <input
          data-first
          autocomplete="off"
          placeholder={FIRST}
          aria-describedby={about}
          value={text}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </Labelled>
      <div id={about} class="soft" aria-live="polite">
        {read.kind === "problem" ? (
          <p role="alert" class="sequence-problem">
            {read.message}
          </p>
        ) : (
          <ol class="sequence-steps">
            {stepWords(read.steps).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ol>
        )}
      </div>
    </>
  );
}
