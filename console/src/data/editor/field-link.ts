import type { FieldDraft } from "./field-drafts.ts";

interface FieldLink {
  readonly href: string;
  readonly words: string;
}

/** Leads from a text to the page or the person that it names. */
export function linkOf({ kind, text }: FieldDraft): FieldLink | undefined {
  if (kind !== "text") return undefined;
  if (/^https?:\/\/\S+$/i.test(text)) return { href: text, words: "Open" };
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? { href: `mailto:${text}`, words: "Write" } : undefined;
}

export function openLink(href: string): void {
  Object.assign(document.createElement("a"), { href, target: "_blank", rel: "noreferrer" }).click();
}
