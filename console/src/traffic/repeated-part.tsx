import { isSameJson, parseJson } from "../api/json.ts";
import { type Outcome, type ReceivedResponse, ResponseBody } from "../request/response-body.tsx";
import { formatBytes, formatMs } from "../ui/format.ts";
import { Problem } from "../ui/notice.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Entry } from "./entry.ts";

/** The response to a request that was sent again, beside the one that it got at first. */
export function RepeatedPart({ outcome, entry }: { outcome: Outcome; entry: Entry }) {
  if (outcome.kind === "refusal") return <Problem refusal={outcome.refusal} />;
  const { status, statusText, durationMs, size } = outcome;
  return (
    <section class="entry-part repeated" aria-labelledby="repeated">
      <h3 id="repeated">New response</h3>
      <p class="cluster response-line" role="status">
        <StatusBadge status={status} />
        <span>{statusText}</span>
        <span class="soft">{formatMs(durationMs)}</span>
        <span class="soft">{formatBytes(size)}</span>
        <span class="soft">{comparison(entry, outcome)}</span>
      </p>
      <ResponseBody outcome={outcome} label="Body of the new response" />
    </section>
  );
}

/** Empty where the first response is not known whole. */
function comparison(entry: Entry, { status, text }: ReceivedResponse): string {
  const { responseBody = "", responseBodyOmitted } = entry;
  if (status !== entry.status) return "Status differs";
  if (responseBodyOmitted !== undefined || responseBody.includes('"..."')) return "";
  const [then, now] = [parseJson(responseBody), parseJson(text)];
  const isSame = then === undefined ? responseBody === text : isSameJson(then, now);
  return isSame ? "Same as before" : "Body differs";
}
