import { useEffect } from "preact/hooks";
import { useEvent } from "../api/use-event.ts";
import type { IconName } from "./icon.tsx";

/** A command that a view offers to the palette while it is shown. */
export interface OfferedCommand {
  readonly name: string;
  readonly icon: IconName;
  /** Other words for it. */
  readonly also?: string;
  readonly run: () => void;
}

const sources = new Set<() => readonly OfferedCommand[]>();

export function offeredCommands(): OfferedCommand[] {
  return [...sources].flatMap((source) => source());
}

/** Offers commands as of the last render. They are listed only when the palette asks. */
export function useOfferedCommands(list: () => readonly OfferedCommand[]): void {
  const source = useEvent(list);
  useEffect(() => {
    sources.add(source);
    return () => {
      sources.delete(source);
    };
  }, [source]);
}
