import { useOverview } from "../../api/use-overview.ts";
import type { FieldDraft } from "../editor/field-drafts.ts";
import { factsOf } from "../editor/field-facts.ts";
import { FieldInput } from "../editor/field-input.tsx";

interface ValueInputProps {
  readonly id: string;
  readonly collection: string;
  readonly draft: FieldDraft;
  readonly describedBy: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: FieldDraft) => void;
}

/** The control that the editor of a record has for this field. */
export function ValueInput({ collection, draft, describedBy, ...others }: ValueInputProps) {
  const overview = useOverview();
  const facts = factsOf(overview, collection, draft.name);
  return <FieldInput {...others} {...{ draft, facts, describedBy }} isInvalid={describedBy !== undefined} />;
}
