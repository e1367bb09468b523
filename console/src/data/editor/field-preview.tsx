import { useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { isImage } from "../table/value-looks.ts";
import type { FieldDraft } from "./field-drafts.ts";
import { linkOf } from "./field-link.ts";

const Markdown = lazy("the preview", async () => (await import("../../ui/markdown.tsx")).Markdown);

const MARKED = /\*\*\S|`[^`\n]+`|^#{1,6} \S|^[-*] \S|\[[^\]\n]+\]\([^)\s]+\)/m;
const LONGEST_MARKED = 20_000;

/** A text as what it stands for: the picture or page at an address, a person to write to, or Markdown. */
export function FieldPreview({ draft }: { readonly draft: FieldDraft }) {
  const { name, kind, text } = draft;
  if (kind !== "text" || text === "") return null;
  const link = linkOf(draft);
  return (
    <>
      {isImage(text, name) && <Picture key={text} url={text} />}
      {link && (
        // The menu of the field has it, too: with the Tab key, the next field comes first.
        <a class="button small field-link" href={link.href} target="_blank" rel="noreferrer" tabIndex={-1}>
          <Icon name="link" />
          {link.words}
        </a>
      )}
      {!link && text.length <= LONGEST_MARKED && MARKED.test(text) && <MarkdownPreview text={text} />}
    </>
  );
}

function Picture({ url }: { readonly url: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return null;
  return <img class="field-picture" src={url} alt="" referrerpolicy="no-referrer" onError={() => setBroken(true)} />;
}

function MarkdownPreview({ text }: { readonly text: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <div>
        <Button look="small" icon="eye" onClick={() => setShown(!isShown)}>
          {isShown ? "Hide preview" : "Preview"}
        </Button>
      </div>
      {isShown && (
        <div class="field-markdown">
          <Markdown text={text} />
        </div>
      )}
    </>
  );
}
