import { useEffect, useState } from "preact/hooks";
import { formatMs } from "../ui/format.ts";
import type { Entry } from "./entry.ts";
import { percentilesOf, perSecond } from "./statistics.ts";

const SECONDS = 60;
const HEIGHT = 56;
const BAR = 8;

/** The last minute: how many requests each second, how many of them failed, and how long they took. */
export function TrafficChart({ entries, isLive }: { entries: readonly Entry[]; isLive: boolean }) {
  const now = useNow(isLive);
  const seconds = perSecond(entries, now, SECONDS);
  const recent = entries.filter((entry) => Date.parse(entry.time) > now - SECONDS * 1000);
  const { p50, p95, p99 } = percentilesOf(recent);
  const most = Math.max(1, ...seconds.map(({ count }) => count));
  const slowest = Math.max(1, ...seconds.map((second) => second.p95 ?? 0));
  const line = seconds
    .map((second, index) =>
      second.p95 === undefined ? undefined : `${index * BAR + BAR / 2},${scale(second.p95, slowest)}`,
    )
    .filter((point) => point !== undefined);
  return (
    <section class="card chart" aria-label="The last minute">
      <svg viewBox={`0 0 ${SECONDS * BAR} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>
          {recent.length} requests in the last minute, at most {most} in a second
        </title>
        {seconds.map(({ count, failed }, index) => (
          <g key={index}>
            <rect class="bar" x={index * BAR + 1} width={BAR - 2} {...column(count, most)} />
            <rect class="bar failed" x={index * BAR + 1} width={BAR - 2} {...column(failed, most)} />
          </g>
        ))}
        {line.length > 1 && <polyline class="latency" points={line.join(" ")} />}
      </svg>
      <dl class="figures">
        <Figure name="Last minute" value={String(recent.length)} />
        <Figure name="Median" value={formatMs(p50)} />
        <Figure name="95 %" value={formatMs(p95)} />
        <Figure name="99 %" value={formatMs(p99)} />
      </dl>
    </section>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function column(count: number, most: number): { y: number; height: number } {
  const height = (count / most) * HEIGHT;
  return { y: HEIGHT - height, height };
}

function scale(value: number, most: number): number {
  return HEIGHT - 2 - (value / most) * (HEIGHT - 6);
}

function useNow(isLive: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isLive) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}
