import { useMemo } from "preact/hooks";
import { parseJson } from "../api/json.ts";
import { jsonProblem } from "./json-problem.ts";
import { tokensOf } from "./json-tokens.ts";
import { newLineAt } from "./new-line.ts";
import "./json-input.css";

/** Longer texts are not coloured: each key press would colour all of it again. */
const LONGEST_COLOURED = 30_000;

interface JsonInputProps {
  readonly text: string;
  readonly control: Readonly<Record<string, string | boolean | undefined>>;
  readonly isReadOnly: boolean;
  readonly isTall?: boolean;
  readonly onChange: (text: string) => void;
}

/**
 * A JSON text with colours: a text area whose own letters are transparent, over the same text in colour. People and
 * assistive technology meet an ordinary text area; Tab leaves it.
 */
export function JsonInput({ text, control, isReadOnly, isTall = false, onChange }: JsonInputProps) {
  const isColoured = text.length <= LONGEST_COLOURED;
  const tokens = useMemo(() => (isColoured ? tokensOf(text) : []), [text, isColoured]);
  const { formatted, problem } = useMemo(() => judge(text), [text]);
  const problemId = `${control.id}-json`;
  const described = [control["aria-describedby"], problem !== undefined && problemId].filter(Boolean).join(" ");
  return (
    <div class={isTall ? "json-input tall" : "json-input"}>
      <div class={isColoured ? "json-layers coloured" : "json-layers"}>
        {isColoured && (
          <pre class="json-colours" aria-hidden="true">
            {tokens.map(({ kind, text: part }, index) =>
              kind === undefined ? (
                part
              ) : (
                <span key={index} class={`json-${kind}`}>
                  {part}
                </span>
              ),
            )}
            {"\n"}
          </pre>
        )}
        <textarea
          {...control}
          aria-describedby={described === "" ? undefined : described}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          dir="ltr"
          rows={isTall ? 12 : 3}
          readOnly={isReadOnly}
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing || isReadOnly) return;
            event.preventDefault();
            insert(event.currentTarget, newLineAt(text, event.currentTarget.selectionStart));
          }}
        />
      </div>
      {!isReadOnly && (
        <div class="row json-foot">
          <span id={problemId} class={problem === undefined ? "soft" : "json-problem"}>
            {problem ?? (text === "" ? "Empty" : "Valid JSON")}
          </span>
          <button
            type="button"
            class="link"
            aria-disabled={formatted === undefined || formatted === text || undefined}
            onClick={() => formatted !== undefined && onChange(formatted)}
          >
            Format
          </button>
        </div>
      )}
    </div>
  );
}

/** As if it was typed, so that the browser can undo it. */
function insert(area: HTMLTextAreaElement, text: string): void {
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The text as it would be formatted, or what is wrong with it. */
function judge(text: string): { readonly formatted?: string; readonly problem?: string | undefined } {
  if (text === "") return {};
  const value = parseJson(text);
  if (value === undefined) return { problem: jsonProblem(text) ?? "This is not valid JSON." };
  return text.length > LONGEST_COLOURED ? {} : { formatted: JSON.stringify(value, null, 2) };
}
