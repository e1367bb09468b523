import { useId } from "preact/hooks";
import { useValidity } from "./use-validity.ts";

interface NameInputProps {
  readonly id: string;
  /** The thing that gets the name. */
  readonly what: string;
  readonly value: string;
  /** Names of others, which a new one replaces. */
  readonly taken: readonly string[];
  readonly placeholder?: string;
  readonly onInput: (value: string) => void;
}

/** The name of something that this browser keeps. */
export function NameInput({ id, what, value, taken, placeholder, onInput }: NameInputProps) {
  const noteId = useId();
  const isTaken = taken.includes(value.trim());
  const input = useValidity(value !== "" && value.trim() === "" ? "Type more than spaces." : "");
  return (
    <>
      <input
        ref={input}
        id={id}
        data-first
        required
        autocomplete="off"
        placeholder={placeholder}
        aria-describedby={noteId}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={noteId} class="hint" role="status">
        {isTaken && `There is a ${what} of this name. Save replaces it.`}
      </p>
    </>
  );
}
