import { parseJson } from "../api/json.ts";
import type { Pair } from "../api/parameters.ts";
import { violationsIn } from "../api/violation.ts";
import { formatBytes, formatMs } from "../ui/format.ts";
import { Empty, Problem } from "../ui/notice.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ViolationList } from "../ui/violation-list.tsx";
import type { Outcome, ReceivedResponse } from "./response-body.tsx";
import { ResponseViews } from "./response-views.tsx";

interface ResponseCardProps {
  readonly outcome: Outcome | undefined;
  /** The response to the same request before. */
  readonly previous?: ReceivedResponse | undefined;
  readonly isBusy: boolean;
}

/** Shows the response to the request. */
export function ResponseCard({ outcome, previous, isBusy }: ResponseCardProps) {
  return (
    <section class="card" aria-labelledby="response" aria-busy={isBusy}>
      <h2 id="response">Response</h2>
      {!outcome && (
        <Empty icon="request" title="Nothing sent yet">
          <p>The response appears here, with its headers and the time it took.</p>
        </Empty>
      )}
      {outcome?.kind === "refusal" && <Problem refusal={outcome.refusal} />}
      {outcome?.kind === "response" && (
        <>
          <p class="cluster response-line" role="status">
            <StatusBadge status={outcome.status} />
            <span>{outcome.statusText}</span>
            <span class="soft">{formatMs(outcome.durationMs)}</span>
            <span class="soft">{formatBytes(outcome.size)}</span>
          </p>
          <Broken status={outcome.status} text={outcome.text} />
          <details class="headers">
            <summary>{outcome.headers.length} headers</summary>
            <HeaderTable headers={outcome.headers} />
          </details>
          <ResponseViews outcome={outcome} previous={previous} />
        </>
      )}
    </section>
  );
}

/** The rules that the request would have broken, if the response lists any. */
function Broken({ status, text }: { status: number; text: string }) {
  const violations = status < 400 ? [] : violationsIn(parseJson(text));
  if (violations.length === 0) return null;
  return (
    <div class="problem broken">
      <ViolationList violations={violations} showsValues />
    </div>
  );
}

export function HeaderTable({ headers }: { headers: readonly Pair[] }) {
  return (
    <dl class="header-list">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
