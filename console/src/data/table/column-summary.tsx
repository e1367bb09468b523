import { useEffect, useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { cellText } from "../../ui/cell-text.ts";
import { formatCount, formatName, plural } from "../../ui/format.ts";
import type { Clause } from "../condition.ts";
import type { ListQuery } from "../list-query.ts";
import { fetchWindow } from "../use-records.ts";
import { type FetchRows, type Figures, isRanged, loadFigures, type Share } from "./column-figures.ts";
import type { Column } from "./columns.ts";
import "./column-summary.css";

interface ColumnSummaryProps {
  readonly collection: string;
  readonly column: Column;
  readonly query: ListQuery;
  /** Records in the list. */
  readonly total: number;
  readonly onFilter: (filters: readonly Clause[]) => void;
}

/** The distribution of a column's values among the records of the list. */
export function ColumnSummary({ collection, column, query, total, onFilter }: ColumnSummaryProps) {
  const [figures, setFigures] = useState<Figures>();
  const [refusal, setRefusal] = useState<Refusal>();
  // Once: the figures are those of the moment at which the menu was opened.
  const load = useEvent((fetchRows: FetchRows) => loadFigures(fetchRows, { collection, column, query }, setFigures));
  useEffect(() => {
    const request = new AbortController();
    load((path) => fetchWindow(path, request.signal)).catch((thrown: unknown) => {
      if (!request.signal.aborted) setRefusal(asRefusal(thrown));
    });
    return () => request.abort();
  }, [load]);
  if (refusal) return <p class="hint">No figures: {refusal.message}</p>;
  return (
    <>
      <dl class="figures-line" aria-busy={!figures}>
        <Figure name="distinct" value={figures && formatCount(figures.distinct)} />
        <Figure name="empty" value={figures && percent(figures.empty, total)} />
        {column.kind === "number" && <Figure name="average" value={figures && rounded(figures.average)} />}
      </dl>
      {isRanged(column) ? (
        <Histogram column={column} figures={figures} onFilter={onFilter} />
      ) : (
        <TopValues column={column} figures={figures} total={total} onFilter={onFilter} />
      )}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? "…"}</dd>
    </div>
  );
}

interface ChartProps {
  readonly column: Column;
  /** Undefined while they are fetched. */
  readonly figures: Figures | undefined;
  readonly onFilter: (filters: readonly Clause[]) => void;
}

/** One bar for each range; the arrow keys lead along them. */
function Histogram({ column, figures, onFilter }: ChartProps) {
  const bins = figures?.bins ?? [];
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: bars are no fields of a form */}
      <div class="histogram" role="group" aria-label={`Values of ${formatName(column.name)}`} onKeyDown={moveAlong}>
        {bins.map((bin, at) => (
          <button
            key={bin.label}
            type="button"
            tabIndex={at === 0 ? 0 : -1}
            title={wordsOf(bin)}
            aria-label={`Filter: ${wordsOf(bin)}`}
            onClick={() => bin.filters && onFilter(bin.filters)}
          >
            <span style={{ height: `${bin.count === 0 ? 0 : Math.max(3, (bin.count / most) * 100)}%` }} />
          </button>
        ))}
      </div>
      <p class="histogram-axis">
        <span>{figures ? endWords(figures.least) : "\u00a0"}</span>
        <span>{figures && endWords(figures.greatest)}</span>
      </p>
    </>
  );
}

/** The most frequent values; a click shows the records that have one. */
function TopValues({ column, figures, total, onFilter }: ChartProps & { total: number }) {
  if (!figures) return <div class="top-values" />;
  const repeats = figures.top.filter(({ count }) => count > 1);
  if (repeats.length === 0) return <p class="hint">{figures.distinct > 0 ? "No value occurs twice." : "No values."}</p>;
  const most = Math.max(1, ...repeats.map(({ count }) => count));
  return (
    <ul class="top-values" aria-label={`Most frequent values of ${formatName(column.name)}`}>
      {repeats.map((share) => (
        <li key={share.label}>
          <button type="button" title={wordsOf(share)} onClick={() => share.filters && onFilter(share.filters)}>
            <span class="share" style={{ width: `${(share.count / most) * 100}%` }} />
            <bdi class="cut">{cellText(share.label) || "(empty text)"}</bdi>
            <span class="soft">{percent(share.count, total)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function moveAlong(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const bars = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  const next = step && bars[bars.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function wordsOf({ label, count }: Share): string {
  return `${cellText(label)}: ${plural(count, "record")}`;
}

function endWords(value: Figures["least"]): string {
  return typeof value === "number" ? (rounded(value) ?? "") : cellText(value).slice(0, 10);
}

function rounded(value: number | undefined): string | undefined {
  if (value === undefined) return "–";
  return new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 }).format(value);
}

/** "0 %" and "100 %" mean none and all. */
function percent(part: number, total: number): string {
  if (part === 0 || total === 0) return "0 %";
  if (part >= total) return "100 %";
  const share = (part / total) * 100;
  if (share < 1) return "< 1 %";
  return `${Math.min(99, Math.round(share))} %`;
}
