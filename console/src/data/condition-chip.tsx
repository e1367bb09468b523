import { IconButton } from "../ui/icon-button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Popover } from "../ui/popover.tsx";
import type { ConditionFormProps } from "./filters/condition-form.tsx";
import { kindOf } from "./filters/meaning.ts";
import { conditionText } from "./operators.ts";

const ConditionForm = lazy<ConditionFormProps>(
  "the form",
  async () => (await import("./filters/condition-form.tsx")).ConditionForm,
);

interface ConditionChipProps extends Omit<ConditionFormProps, "onDone" | "isNew"> {
  readonly startsOpen: boolean;
  /** Whether its field is still to be chosen. */
  readonly isNew: boolean;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** A condition in a few words; they open the form that changes it. */
export function ConditionChip({ startsOpen, onRemove, onClose, ...form }: ConditionChipProps) {
  const { condition, fields } = form;
  const text = conditionText(condition, kindOf(fields, condition.path));
  return (
    <span class="chip">
      <Popover label="Condition" look="chip-text cut" button={text} startsOpen={startsOpen} onClose={onClose}>
        {(close) => <ConditionForm {...form} onDone={close} />}
      </Popover>
      <IconButton icon="close" label={`Remove: ${text}`} onClick={onRemove} />
    </span>
  );
}
