import { useEffect, useRef } from "preact/hooks";
import type { Version } from "../api/history.ts";
import { useEvent } from "../api/use-event.ts";
import { Button } from "../ui/button.tsx";
import { VersionItem } from "./version-item.tsx";
import { dayOf } from "./words.ts";

interface VersionListProps {
  readonly versions: readonly Version[];
  readonly chosen: number;
  /** The address of a version. */
  readonly hrefOf: (version: number) => string;
  /** Fetches older ones; undefined if there are none. */
  readonly onMore: (() => void) | undefined;
}

/** The timeline, newest first, a heading for each day. Older versions come as the end is scrolled into view. */
export function VersionList({ versions, chosen, hrefOf, onMore }: VersionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>("[aria-current]");
    // Not by `scrollIntoView`, which would scroll the page as well.
    if (item && list.current) list.current.scrollTop += overhang(item, list.current);
  }, [chosen]);
  return (
    <div class="timeline" ref={list}>
      {byDay(versions).map(([day, made]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {made.map((version) => (
              <VersionItem
                key={version.version}
                version={version}
                isChosen={version.version === chosen}
                href={hrefOf(version.version)}
              />
            ))}
          </ol>
        </section>
      ))}
      {onMore && <More onMore={onMore} />}
    </div>
  );
}

/** How far an item is out of sight, above (negative) or below. The day stays above the items. */
function overhang(item: HTMLElement, list: HTMLElement): number {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  const top = outer.top + DAY_HEIGHT;
  if (inner.top < top) return inner.top - top;
  return Math.max(0, inner.bottom + EDGE - outer.bottom);
}

const DAY_HEIGHT = 32;
/** Room for the focus ring. */
const EDGE = 4;

function byDay(versions: readonly Version[]): [day: string, versions: Version[]][] {
  const days = new Map<string, Version[]>();
  for (const version of versions) {
    const day = dayOf(version);
    days.set(day, [...(days.get(day) ?? []), version]);
  }
  return [...days];
}

/** Asks for more by itself when it is seen; the button is for the keyboard. */
function More({ onMore }: { onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useEvent(onMore);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) more();
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [more]);
  return (
    <div ref={end} class="row timeline-more">
      <Button look="small" onClick={onMore}>
        Show older
      </Button>
    </div>
  );
}
