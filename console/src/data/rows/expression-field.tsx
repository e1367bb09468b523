import { useEffect, useId, useState } from "preact/hooks";
import { ownValue } from "../../api/json.ts";
import { asRefusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { valueText } from "../../records/comparison/value-text.ts";
import { formatCount } from "../../ui/format.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import type { Picked } from "./bulk.ts";
import { type Computed, type FieldExpression, tryExpression } from "./compute.ts";

/** So long after the last key the server is asked what the expression does. */
const PAUSE_MS = 250;

interface ExpressionFieldProps {
  readonly picked: Picked;
  readonly change: FieldExpression;
  readonly onInput: (expression: string) => void;
}

/** An expression, and what it makes of the first records, or what is wrong with it. */
export function ExpressionField({ picked, change, onInput }: ExpressionFieldProps) {
  const id = useId();
  const { computed, problem } = usePreview(picked, change);
  return (
    <div class="field">
      <label for={id}>Expression</label>
      <input
        id={id}
        class="expression"
        value={change.expression}
        placeholder="round(price * 1.1, 2)"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        aria-invalid={problem !== ""}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {problem !== "" && (
        <ul class="field-errors" role="alert">
          <li>{problem}</li>
        </ul>
      )}
      <p id={`${id}-hint`} class="hint">
        Fields by name, <code>+ - * / %</code>, texts in quotes, <code>if(…)</code>, <code>round(…)</code>,{" "}
        <code>upper(…)</code>, <code>replace(…)</code>, <code>now</code>, <code>random</code>
      </p>
      {computed && <Preview {...{ picked, computed }} field={change.field} />}
    </div>
  );
}

function Preview({ picked, computed, field }: { picked: Picked; computed: Computed; field: string }) {
  const { count, examples } = computed;
  if (count === 0) return <p role="status">None of the records would change.</p>;
  return (
    <ScrollRegion label="Preview" look="compute-preview">
      <p role="status">
        {formatCount(count)} {count === 1 ? "record changes" : "records change"}
        {count > examples.length && `; the first ${examples.length}`}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{picked.idKey}</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {examples.map(({ before, after }, row) => (
            <tr key={row}>
              <th scope="row">{valueText(before[picked.idKey])}</th>
              <td>{valueText(at(before, field))}</td>
              <td>{valueText(at(after, field))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The field itself, or what the path leads to begins with. */
function at(record: Computed["examples"][number]["before"], field: string) {
  return ownValue(record, field) ?? ownValue(record, field.replace(/[.[].*/, ""));
}

function usePreview(picked: Picked, change: FieldExpression): { computed: Computed | undefined; problem: string } {
  const [shown, show] = useState<{ readonly computed?: Computed; readonly problem?: string }>({});
  const attempt = useEvent((signal: AbortSignal) => tryExpression(picked, change, signal));
  const { field, expression } = change;
  const isReady = field !== "" && expression.trim() !== "";
  useEffect(() => {
    const asking = new AbortController();
    const tell = (told: typeof shown): void => {
      if (!asking.signal.aborted) show(told);
    };
    if (!isReady) show({});
    const timer = setTimeout(() => {
      if (!isReady) return;
      attempt(asking.signal).then(
        (computed) => tell({ computed }),
        (thrown) => tell({ problem: wordsOf(thrown) }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [attempt, field, expression, isReady]);
  return { computed: shown.computed, problem: shown.problem ?? "" };
}

/** The box is known, so that only the place in it needs to be said. */
function wordsOf(thrown: unknown): string {
  return asRefusal(thrown).message.replace(/^The expression of ".*?" at position/s, "Position");
}
