import { useEffect } from "preact/hooks";
import { useStore } from "../api/store.ts";
import { formatRoute } from "../routes/route.ts";
import { entries, followTraffic, trafficLine, trafficRefusal } from "../traffic/traffic-log.ts";
import { formatCount, plural } from "../ui/format.ts";
import { Sparkline } from "../ui/sparkline.tsx";
import { useNow } from "../ui/use-now.ts";
import { MINUTES, recentRequests, SLOT_MS } from "./recent-requests.ts";

/** The requests of the last minutes at a glance; leads to the traffic. */
export function TrafficLink() {
  useEffect(followTraffic, []);
  const now = useNow(SLOT_MS);
  const refusal = useStore(trafficRefusal);
  const line = useStore(trafficLine);
  const { counts, failed, total, totalFailed } = recentRequests(useStore(entries), now);
  const words = refusal
    ? refusal.code === "TRAFFIC_OFF"
      ? "The request log is off"
      : "Requests cannot be shown"
    : line === "connecting"
      ? "Loading the requests…"
      : plural(total, "request");
  return (
    <a class="row traffic-link" href={formatRoute({ view: "traffic" })} title={refusal?.message}>
      <Sparkline label={`Requests of the last ${MINUTES} minutes`} values={counts} marked={failed} />
      <span class="traffic-words">
        <span>{words}</span>
        <span class="soft">
          last {MINUTES} min
          {totalFailed > 0 && <span class="failed"> · {formatCount(totalFailed)} failed</span>}
        </span>
      </span>
    </a>
  );
}
