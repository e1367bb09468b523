import { Icon } from "../../ui/icon.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { FIELD_KINDS, type FieldDraft, type FieldKind, inKind, isBlank } from "./field-drafts.ts";
import { type FieldFacts, isForFile } from "./field-facts.ts";
import { linkOf, openLink } from "./field-link.ts";

export const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  text: "Text",
  number: "Number",
  boolean: "True or false",
  json: "JSON",
  null: "Null",
};

interface FieldMenuProps {
  readonly draft: FieldDraft;
  readonly facts: FieldFacts;
  readonly isOmittable: boolean;
  /** Undefined where nothing can make up a value. */
  readonly onFill: (() => void) | undefined;
  readonly onChange: (draft: FieldDraft) => void;
  readonly onRemove: () => void;
}

/**
 * The seldom used controls of a field: its type, and whether it is there at all. The Tab key passes it by, so that it leads
 * from field to field; Alt+Enter in the field opens it.
 */
export function FieldMenu({ draft, facts, isOmittable, onFill, onChange, onRemove }: FieldMenuProps) {
  const kinds: MenuItem[] = FIELD_KINDS.map((kind) => ({
    name: KIND_WORDS[kind],
    isChecked: draft.kind === kind && !isForFile(draft, facts),
    onChoose: () => onChange(inKind({ ...draft, isFile: false }, kind)),
  }));
  const file: MenuItem = {
    name: "File",
    isChecked: isForFile(draft, facts),
    onChoose: () => onChange({ ...draft, kind: "null", text: "", isFile: true }),
  };
  const link = linkOf(draft);
  const items: MenuItem[] = [
    ...(facts.rule?.enum ? [] : [...kinds, file]),
    ...(link
      ? [{ name: link.words, icon: "link" as const, startsGroup: true, onChoose: () => openLink(link.href) }]
      : []),
    ...(onFill && draft.name !== ""
      ? [{ name: "Fill with plausible data", icon: "sparkle" as const, startsGroup: true, onChoose: onFill }]
      : []),
    ...(isOmittable && !isBlank(draft)
      ? [
          {
            name: "Leave out",
            icon: "undo" as const,
            onChoose: () => onChange({ ...draft, kind: draft.kind === "null" ? "text" : draft.kind, text: "" }),
          },
        ]
      : []),
    ...(draft.isSpare
      ? []
      : [{ name: "Remove field", icon: "trash" as const, isDanger: true, startsGroup: true, onChoose: onRemove }]),
  ];
  if (items.length === 0) return null;
  const label = `Options of ${draft.name || "the new field"}`;
  return <Menu {...{ label, items }} button={<Icon name="more" />} isTabStop={false} />;
}
