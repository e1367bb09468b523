import { parseJson } from "../api/json.ts";
import type { Pair } from "../api/parameters.ts";
import type { Refusal } from "../api/refusal.ts";
import { violationsIn } from "../api/violation.ts";
import { Button } from "../ui/button.tsx";
import { download } from "../ui/download.ts";
import { formatBytes, formatMs } from "../ui/format.ts";
import { BodyText } from "../ui/json-text.tsx";
import { Empty, Problem } from "../ui/notice.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ViolationList } from "../ui/violation-list.tsx";

export type Outcome =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly Pair[];
      /** Empty if the body is no text. */
      readonly text: string;
      /** A body that is no text. */
      readonly binary: Blob | undefined;
      /** Of the body, in bytes. */
      readonly size: number;
      readonly durationMs: number;
    }
  | { readonly kind: "refusal"; readonly refusal: Refusal };
export type ReceivedResponse = Extract<Outcome, { kind: "response" }>;

/** Shows the response to the request. */
export function ResponseCard({ outcome, isBusy }: { outcome: Outcome | undefined; isBusy: boolean }) {
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
          <ResponseBody outcome={outcome} label="Body of the response" />
        </>
      )}
    </section>
  );
}

/** The body as text or, of anything else, a way to save it. */
export function ResponseBody({ outcome, label }: { outcome: ReceivedResponse; label: string }) {
  const { text, binary } = outcome;
  if (binary) {
    const type = binary.type.replace(/;.*/s, "");
    const ending = /^[a-z]+\/([a-z\d]+)$/.exec(type)?.[1] ?? "bin";
    return (
      <div class="cluster actions">
        <p class="hint">The body is not text{type === "" ? "" : ` but ${type}`}.</p>
        <Button look="small" onClick={() => download(`response.${ending}`, binary)}>
          Save it
        </Button>
      </div>
    );
  }
  return text === "" ? <p class="hint">The response has no body.</p> : <BodyText text={text} label={label} />;
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
