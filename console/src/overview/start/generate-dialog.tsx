import { useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { FormDialog } from "../../ui/form.tsx";
import { formatCount } from "../../ui/format.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { seededRandom } from "../../ui/seeded-random.ts";
import { useAttempt } from "../../ui/use-attempt.ts";
import { addMembers } from "./add-members.ts";
import { type SampleTemplate, sampleData } from "./sample-data.ts";
import { TEMPLATES } from "./templates.ts";

const COUNTS = [20, 120, 2000];
/** That of `standin --sample shop`: with 120 records, both make the same. */
const SEED = 16;

/** Makes related collections with plausible records. */
export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const overview = useOverview();
  const [template, setTemplate] = useState<SampleTemplate>("shop");
  const [count, setCount] = useState(COUNTS[0] ?? 0);
  const { refusal, isBusy, attempt } = useAttempt();
  const send = async (): Promise<void> => {
    const { idKey, foreignKeySuffix, clock } = overview;
    const now = Date.parse(clock.now);
    const suffix = foreignKeySuffix ?? TEMPLATES[template].suffix;
    await addMembers(sampleData({ template, count, idKey, suffix, now, random: seededRandom(SEED) }));
    onClose();
  };
  return (
    <FormDialog
      title="Generate sample data"
      action={isBusy ? "Generating…" : "Generate"}
      refusal={refusal}
      isBusy={isBusy}
      onSubmit={() => attempt(send)}
      onClose={onClose}
    >
      <fieldset class="templates">
        <legend>Data for</legend>
        {(Object.keys(TEMPLATES) as SampleTemplate[]).map((name, index) => (
          <label key={name} class="template">
            <input
              type="radio"
              name="template"
              data-first={index === 0 ? "" : undefined}
              checked={template === name}
              onChange={() => setTemplate(name)}
            />
            <span>
              <strong>{TEMPLATES[name].title}</strong>
              <span class="soft">{TEMPLATES[name].collections}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Labelled label="Records in the largest collection">
        <select value={count} onChange={(event) => setCount(Number(event.currentTarget.value))}>
          {COUNTS.map((one) => (
            <option key={one} value={one}>
              {formatCount(one)}
            </option>
          ))}
        </select>
      </Labelled>
    </FormDialog>
  );
}
