import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useEvent } from "../../../api/use-event.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { FieldFacts, Reference } from "../field-facts.ts";
import { placeBelow } from "../place-below.ts";
import type { Id } from "../values/ids.ts";
import type { InputProps } from "./input-props.ts";
import { RelationList } from "./relation-list.tsx";
import { findNamed, findOptions, MOST_OPTIONS, optionWords, type RelationOption } from "./relation-options.ts";

/** Between a key press and the search. */
const PAUSE_MS = 120;

interface Found {
  /** The text that was searched for. */
  readonly for: string;
  readonly options: readonly RelationOption[];
  readonly hasFailed?: boolean;
}

interface RelationInputProps extends InputProps {
  /** Told once a record is chosen, or an id is typed and left. */
  readonly onSettle?: (id: Id) => void;
  /** Ids that need not be offered. */
  readonly taken?: readonly string[];
}

/**
 * The id of a record of another collection, to choose by its name or to type. Closed, it shows the id and the name; opened,
 * it searches. An id that no record has can be typed as well: the server decides.
 */
export function RelationInput(props: RelationInputProps) {
  const { draft, facts, control, isOmittable, isNull, isReadOnly, onChange } = props;
  const reference = facts.reference!;
  const listId = `${control.id}-records`;
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { search, found, active, options, current, open, pick, settle, onKeyDown } = useChoice(props, reference);
  const isOpen = search !== undefined;
  usePlaceBelow(list, input, isOpen, found);
  useEffect(() => {
    if (active >= 0) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, active]);
  return (
    <span class="relation-input">
      <input
        {...control}
        ref={input}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && options.length > 0 ? `${listId}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        readOnly={isReadOnly}
        placeholder={isOpen ? `Search ${reference.to}` : emptyWords({ isOmittable, isNull }, reference.to)}
        value={search || shownText(draft.text, current)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => !isOpen && open()}
        onInput={(event) => {
          const text = event.currentTarget.value;
          open(text);
          // Without a choice from the list, the text itself is the id.
          onChange({ ...draft, text: text.trim() });
        }}
        onKeyDown={onKeyDown}
        onBlur={settle}
      />
      {!isReadOnly && (
        <span class="relation-mark" aria-hidden="true">
          <Icon name="search" />
        </span>
      )}
      <RelationList
        {...{ options, active, listId }}
        to={reference.to}
        boxRef={list}
        chosen={draft.text}
        note={isOpen ? noteFor(found, search, reference.to) : ""}
        onPick={pick}
      />
    </span>
  );
}

/** The search for a record, and the ways in which it ends: with a record, with an id that was typed, or without. */
function useChoice(props: RelationInputProps, reference: Reference) {
  const { draft, facts, isReadOnly, onChange, onSettle, taken = [] } = props;
  const { search, setSearch, found, active, setActive } = useSearch(reference);
  const isOpen = search !== undefined;
  const [current, setCurrent] = useCurrent(draft.text, reference, isOpen);
  /** The id before the search. */
  const before = useRef(draft.text);
  const options = isOpen ? (found?.options ?? []).filter(({ id }) => !taken.includes(id)) : [];
  const open = (text = ""): void => {
    if (isReadOnly) return;
    if (!isOpen) before.current = draft.text;
    setSearch(text);
  };
  const close = (): void => {
    setSearch(undefined);
    setActive(-1);
  };
  const pick = (option: RelationOption): void => {
    setCurrent(option);
    if (option.id !== draft.text || draft.text !== before.current) {
      onChange({ ...draft, kind: kindOf(option, facts), text: option.id });
    }
    close();
    onSettle?.(option.value);
  };
  /** The option that is marked, unless the list is still that of another text. */
  const marked = (): RelationOption | undefined => (found?.for === search ? options[active] : undefined);
  /** Entered before the search has found anything: its first record is meant. */
  const hasty = useRef<string>();
  const pickHasty = useEvent((): void => {
    if (hasty.current === undefined || hasty.current !== found?.for) return;
    const [first] = hasty.current === search ? options : [];
    hasty.current = undefined;
    if (first) pick(first);
  });
  useEffect(() => pickHasty(), [pickHasty, found]);
  const leave = (): void => {
    close();
    if (draft.text !== "") onSettle?.(draft.text);
  };
  /** A name that was typed means the record that it found; a number that was typed is an id. */
  const settle = (): void => {
    const isId = /^\d+$/.test(search ?? "");
    const option = isId ? options.find(({ id }) => id === search) : marked();
    if (search && option) pick(option);
    else leave();
  };
  const move = (step: 1 | -1): void => {
    if (!isOpen) open();
    else if (options.length > 0) setActive(nextOption(active, step, options.length));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen && {
      Enter: () => {
        const option = marked();
        if (option) pick(option);
        else if (search && found?.for !== search && !/^\d+$/.test(search)) hasty.current = search;
        else leave();
      },
      // Only the list closes, not the drawer around it.
      Escape: () => {
        if (draft.text !== before.current) onChange({ ...draft, text: before.current });
        close();
      },
    }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const press = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!press) return;
    event.preventDefault();
    press();
  };
  return { search, found, active, options, current, open, pick, settle, onKeyDown };
}

/** From none, the first or the last. */
function nextOption(active: number, step: 1 | -1, count: number): number {
  return (active + step + count + (active === -1 && step === -1 ? 1 : 0)) % count;
}

/** The records that a text finds. Its text is undefined while the list is closed. */
function useSearch(reference: Reference) {
  const [search, setSearch] = useState<string>();
  const [found, setFound] = useState<Found>();
  const [active, setActive] = useState(-1);
  const find = useEvent((text: string, signal: AbortSignal) => findOptions(reference, text, signal));
  const hasFound = useRef(false);
  hasFound.current = found !== undefined;
  useEffect(() => {
    if (search === undefined) return;
    const stop = new AbortController();
    const look = (): void =>
      void find(search, stop.signal).then(
        (records) => {
          setFound({ for: search, options: records });
          setActive(search === "" ? -1 : 0);
        },
        () => stop.signal.aborted || setFound({ for: search, options: [], hasFailed: true }),
      );
    const timer = setTimeout(look, hasFound.current ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [find, search]);
  return { search, setSearch, found, active, setActive };
}

/** Shows a box below a field while it is open, and keeps it there. `content` decides its size. */
function usePlaceBelow(
  box: RefObject<HTMLElement>,
  field: RefObject<HTMLElement>,
  isOpen: boolean,
  content: unknown,
): void {
  useLayoutEffect(() => {
    const [shown, anchor] = [box.current, field.current];
    if (!isOpen || !shown || !anchor) return;
    shown.showPopover();
    const place = (): void => placeBelow(shown, anchor);
    place();
    addEventListener("scroll", place, true);
    addEventListener("resize", place);
    return () => {
      removeEventListener("scroll", place, true);
      removeEventListener("resize", place);
      shown.hidePopover();
    };
  }, [box, field, isOpen, content]);
}

function noteFor(found: Found | undefined, search: string, to: string): string {
  if (!found) return "Searching…";
  if (found.hasFailed) return "The search failed. An id can be typed.";
  if (found.options.length === 0) return search === "" ? `${to} has no records yet.` : "No record matches. Type an id.";
  return found.options.length === MOST_OPTIONS ? "Type to find others." : "";
}

function emptyWords({ isOmittable, isNull }: Pick<InputProps, "isOmittable" | "isNull">, to: string): string {
  if (isNull) return "null";
  return isOmittable ? "Not set" : `Search ${to}`;
}

/** An id is written as the field's neighbours write theirs, else as the record itself does. */
function kindOf({ id, value }: RelationOption, { rule, known }: FieldFacts): "text" | "number" {
  const types: readonly string[] = rule?.type ?? known?.types ?? [];
  const isText = types.includes("string");
  const isNumber = types.includes("number") || types.includes("integer");
  if (isText && !isNumber) return "text";
  if (isNumber && !isText && String(Number(id)) === id) return "number";
  return typeof value === "number" ? "number" : "text";
}

function shownText(id: string, current: RelationOption | undefined): string {
  return current?.id === id ? optionWords(current) : id;
}

/** The record that the id stands for, once it is known. */
function useCurrent(id: string, reference: Reference, isSearching: boolean) {
  const [current, setCurrent] = useState<RelationOption>();
  const isKnown = useEvent(() => current?.id === id);
  const find = useEvent(() => findNamed(reference, [id]));
  useEffect(() => {
    if (id === "" || isSearching || isKnown()) return;
    let isWanted = true;
    // Without it, the id is shown alone.
    find().then(
      ([option]) => isWanted && setCurrent(option),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [id, reference.to, isSearching, isKnown, find]);
  return [current, setCurrent] as const;
}
