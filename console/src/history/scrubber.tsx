import { useRef } from "preact/hooks";
import type { Version } from "../api/history.ts";
import { Bars } from "./bars.tsx";
import { clockOf, lineOf } from "./words.ts";
import "./scrubber.css";

interface ScrubberProps {
  /** Newest first. */
  readonly versions: readonly Version[];
  /** The version that is selected; the nearest older one is marked if it is not among them. */
  readonly chosen: number;
  readonly onChoose: (version: number) => void;
  /** Called at the old end, where there may be more. */
  readonly onOldest: () => void;
}

/** Moves through the versions by dragging or with arrow keys, the oldest at the left. A bar stands for each. */
export function Scrubber({ versions, chosen, onChoose, onOldest }: ScrubberProps) {
  const input = useRef<HTMLInputElement>(null);
  const inOrder = versions.toReversed();
  const found = inOrder.findLastIndex(({ version }) => version <= chosen);
  const at = Math.max(0, found);
  const selected = inOrder[at];
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (!selected || !first || !last) return null;
  return (
    <div class="scrubber">
      <Bars versions={inOrder} at={at} />
      <input
        ref={input}
        type="range"
        aria-label="Version"
        aria-valuetext={lineOf(selected)}
        min={0}
        max={inOrder.length - 1}
        value={at}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          const next = inOrder[valueAsNumber];
          if (next) onChoose(next.version);
          if (valueAsNumber === 0) onOldest();
        }}
      />
      <div class="row scrubber-ends">
        <span>{clockOf(first)}</span>
        <span>{clockOf(last)}</span>
      </div>
    </div>
  );
}
