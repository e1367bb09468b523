import type { FieldDraft } from "../field-drafts.ts";
import type { FieldFacts } from "../field-facts.ts";

/** The parts that every control of a field has. */
export interface InputProps {
  readonly draft: FieldDraft;
  readonly facts: FieldFacts;
  /** Attributes of the control itself: its id, its name, and what describes it. */
  readonly control: Readonly<Record<string, string | boolean | undefined>>;
  readonly isReadOnly: boolean;
  /** Whether the field may be left empty to leave it out. */
  readonly isOmittable: boolean;
  /** The field is null, and the draft is what the control shows in its place: nothing. */
  readonly isNull: boolean;
  readonly onChange: (draft: FieldDraft) => void;
}
