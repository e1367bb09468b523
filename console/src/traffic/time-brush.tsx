import { useRef } from "preact/hooks";
import { formatClock } from "../ui/format.ts";
import type { TimeRange } from "./entry-filter.ts";
import type { TimeSlots } from "./statistics.ts";

interface TimeBrushProps {
  readonly time: TimeSlots;
  readonly range: TimeRange | undefined;
  readonly onRange: (range: TimeRange | undefined) => void;
  /** The slot under the pointer or at the focused edge. */
  readonly onPoint: (slot: number | undefined) => void;
  /** The edges of the chart, in pixels. */
  readonly from: number;
  readonly to: number;
  readonly xOf: (moment: number) => number;
}

/** Slots from `first` up to, not including, `end`. */
interface Selection {
  readonly first: number;
  readonly end: number;
}

/**
 * Chooses a stretch of time: by dragging over the chart, by a click on one bar, or by moving either edge with the pointer
 * or the keyboard. Escape takes it back.
 */
export function TimeBrush({ time, range, onRange, onPoint, from, to, xOf }: TimeBrushProps) {
  const area = useRef<HTMLDivElement>(null);
  const anchor = useRef<number>();
  const count = time.slots.length;
  const select = ({ first, end }: Selection): void => {
    const isAll = first <= 0 && end >= count;
    onRange(isAll ? undefined : { from: time.from + first * time.stepMs, to: time.from + end * time.stepMs });
  };
  const chosen: Selection = range
    ? { first: slotAt(range.from, time), end: slotAt(range.to, time) }
    : { first: 0, end: count };
  /** The slot under a pointer, with the part of it that is left of the pointer. */
  const placeUnder = ({ clientX }: PointerEvent): number => {
    const left = area.current?.getBoundingClientRect().left ?? 0;
    return ((clientX - left) / (to - from)) * count;
  };
  const slotUnder = (event: PointerEvent): number => clamp(Math.floor(placeUnder(event)), 0, count - 1);
  const begin = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    anchor.current = slotUnder(event);
    select({ first: anchor.current, end: anchor.current + 1 });
  };
  const move = (event: PointerEvent): void => {
    const slot = slotUnder(event);
    onPoint(slot);
    if (anchor.current === undefined) return;
    select({ first: Math.min(anchor.current, slot), end: Math.max(anchor.current, slot) + 1 });
  };
  const stop = (): void => {
    anchor.current = undefined;
  };
  const edge = (name: "From" | "To"): EdgeProps => {
    const isFirst = name === "From";
    return {
      name,
      slot: isFirst ? chosen.first : chosen.end,
      least: isFirst ? 0 : chosen.first + 1,
      most: isFirst ? chosen.end - 1 : count,
      x: xOf(time.from + (isFirst ? chosen.first : chosen.end) * time.stepMs),
      isSet: range !== undefined,
      slotUnder: (event) => Math.round(placeUnder(event)),
      textOf: (slot) => formatClock(time.from + slot * time.stepMs),
      onMove: (slot) => {
        select(isFirst ? { ...chosen, first: slot } : { ...chosen, end: slot });
        onPoint(isFirst ? slot : slot - 1);
      },
      onClear: () => onRange(undefined),
      onLeave: () => onPoint(undefined),
    };
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two sliders over a chart are no fieldset
    <div class="brush" role="group" aria-label="Time to show">
      <div
        ref={area}
        class="brush-area"
        style={{ left: `${from}px`, width: `${to - from}px` }}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={stop}
        onPointerCancel={stop}
        onPointerLeave={() => onPoint(undefined)}
      />
      {range && (
        <>
          <div class="brush-shade" style={{ left: `${from}px`, width: `${Math.max(0, edge("From").x - from)}px` }} />
          <div
            class="brush-shade"
            style={{ left: `${edge("To").x}px`, width: `${Math.max(0, to - edge("To").x)}px` }}
          />
        </>
      )}
      <Edge {...edge("From")} />
      <Edge {...edge("To")} />
    </div>
  );
}

interface EdgeProps {
  readonly name: "From" | "To";
  readonly slot: number;
  readonly least: number;
  readonly most: number;
  readonly x: number;
  readonly isSet: boolean;
  /** The border between slots that is nearest to a pointer. */
  readonly slotUnder: (event: PointerEvent) => number;
  readonly textOf: (slot: number) => string;
  readonly onMove: (slot: number) => void;
  readonly onClear: () => void;
  readonly onLeave: () => void;
}

/** How far a key moves an edge. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function Edge({ name, slot, least, most, x, isSet, slotUnder, textOf, onMove, onClear, onLeave }: EdgeProps) {
  const grab = (event: PointerEvent): void => {
    if (event.button === 0) (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent): void => {
    if (!(event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) return;
    onMove(clamp(slotUnder(event), least, most));
  };
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === "Escape") onClear();
    else if (step !== undefined) onMove(clamp(slot + step, least, most));
    else return;
    event.preventDefault();
  };
  return (
    <div
      class={isSet ? "brush-edge set" : "brush-edge"}
      style={{ left: `${x}px` }}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.max(most, slot)}
      aria-valuenow={slot}
      aria-valuetext={textOf(slot)}
      onKeyDown={press}
      onPointerDown={grab}
      onPointerMove={drag}
      onBlur={onLeave}
    />
  );
}

function slotAt(moment: number, { from, stepMs, slots }: TimeSlots): number {
  return clamp(Math.round((moment - from) / stepMs), 0, slots.length);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
