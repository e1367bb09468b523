import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { JsonInput } from "../ui/json-input.tsx";
import { type Choice, type Completion, completionAt } from "./body-completion.ts";
import type { BodyField } from "./known-requests.ts";

interface BodyInputProps {
  readonly id: string;
  readonly text: string;
  readonly fields: readonly BodyField[];
  readonly onChange: (text: string) => void;
}

/**
 * A JSON body whose names and values are completed as they are typed, or with Ctrl+Space. It listens to the events of the
 * text area in it, which stays an ordinary one.
 */
export function JsonBodyInput({ id, text, fields, onChange }: BodyInputProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [at, setAt] = useState(0);
  const choices = completion?.choices ?? [];
  const listId = `${id}-choices`;
  const area = (): HTMLTextAreaElement | null => frame.current?.querySelector("textarea") ?? null;
  const close = (): void => setCompletion(undefined);
  const look = (isRequested: boolean): void => {
    const input = area();
    const isOne = input !== null && input.selectionStart === input.selectionEnd;
    setCompletion(isOne ? completionAt(input.value, input.selectionStart, fields, isRequested) : undefined);
    setAt(0);
  };
  const choose = ({ text: chosen, leadsOn }: Choice): void => {
    const input = area();
    if (!input || !completion) return;
    input.focus();
    input.setSelectionRange(completion.from, completion.to);
    // As if it was typed, so that the browser can undo it.
    document.execCommand("insertText", false, chosen);
    look(leadsOn);
  };
  const press = (event: KeyboardEvent): void => {
    const isSpace = event.key === " " && event.ctrlKey;
    if (isSpace) look(true);
    else if (choices.length === 0 || event.ctrlKey || event.metaKey || event.isComposing) return;
    else if (event.key === "ArrowDown") setAt((at + 1) % choices.length);
    else if (event.key === "ArrowUp") setAt((at + choices.length - 1) % choices.length);
    else if (event.key === "Enter") choose(choices[at]!);
    else if (event.key === "Escape") close();
    else {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const control = {
    id,
    "aria-autocomplete": "list",
    "aria-controls": choices.length > 0 ? listId : undefined,
    "aria-activedescendant": choices.length > 0 ? `${listId}-${at}` : undefined,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the text area in it
    <div
      class="body-input"
      ref={frame}
      onKeyDownCapture={press}
      onInput={() => look(false)}
      onMouseDown={({ target }) => target instanceof HTMLTextAreaElement && close()}
      onFocusOut={close}
    >
      <JsonInput text={text} control={control} isReadOnly={false} onChange={onChange} />
      {completion && <Choices id={listId} completion={completion} at={at} onChoose={choose} />}
    </div>
  );
}

interface ChoicesProps {
  readonly id: string;
  readonly completion: Completion;
  readonly at: number;
  readonly onChoose: (choice: Choice) => void;
}

function Choices({ id, completion, at, onChoose }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null);
  const { from, choices } = completion;
  useLayoutEffect(() => {
    if (list.current) placeBelow(list.current, from);
  }, [from, choices]);
  return (
    <div class="body-choices" role="listbox" id={id} aria-label="Completions" ref={list}>
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the text area keeps the focus
        <div
          key={choice.label}
          id={`${id}-${index}`}
          class="option mono"
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.label}
        </div>
      ))}
    </div>
  );
}

/** Puts the list below a letter of the text; where the text is not coloured, below the text. */
function placeBelow(list: HTMLElement, at: number): void {
  const frame = list.parentElement;
  const letters = frame?.querySelector(".json-colours");
  const place = letters && rectangleOf(letters, at);
  if (!frame || !place) return;
  const around = frame.getBoundingClientRect();
  const room = around.width - list.offsetWidth;
  list.style.left = `${Math.max(0, Math.min(place.left - around.left, room))}px`;
  list.style.top = `${place.bottom - around.top}px`;
}

function rectangleOf(letters: Element, at: number): DOMRect | undefined {
  const walker = document.createTreeWalker(letters, NodeFilter.SHOW_TEXT);
  let left = at;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { length } = node.nodeValue ?? "";
    if (left < length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      return range.getBoundingClientRect();
    }
    left -= length;
  }
  return undefined;
}
