import { Button } from "../ui/button.tsx";
import { formatDate, formatMs, plural } from "../ui/format.ts";
import { BodyText } from "../ui/json-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Attempt, Delivery, JobStatus } from "./hook-data.ts";

const MOODS: Readonly<Record<JobStatus, string>> = {
  waiting: "warn",
  sending: "warn",
  done: "good",
  failed: "bad",
  skipped: "",
};

/** More would make the page slow; `/__deliveries` has all. */
const MOST_SHOWN = 50;

interface DeliveryListProps {
  readonly deliveries: readonly Delivery[];
  /** Left out where nothing can be sent. */
  readonly onRedeliver: ((delivery: Delivery) => void) | undefined;
}

export function DeliveryList({ deliveries, onRedeliver }: DeliveryListProps) {
  return (
    <>
      <ul class="card flush" aria-label="Deliveries">
        {deliveries.slice(0, MOST_SHOWN).map((delivery) => (
          <li key={delivery.id} class="hook-row">
            <DeliveryDetails delivery={delivery} />
            {onRedeliver && (
              <Button
                look="small"
                label={`Redeliver ${delivery.event} ${delivery.record}`}
                isBusy={delivery.status === "sending"}
                onClick={() => onRedeliver(delivery)}
              >
                Redeliver
              </Button>
            )}
          </li>
        ))}
      </ul>
      {deliveries.length > MOST_SHOWN && (
        <p class="hint">
          The latest {MOST_SHOWN} of {deliveries.length} are shown.
        </p>
      )}
    </>
  );
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { hook, event, record, target, status, attempts, body, reason } = delivery;
  return (
    <details class="hook-text delivery">
      <summary>
        <span class={`badge ${MOODS[status]}`}>{status}</span> <strong>{hook}</strong>{" "}
        <span>
          {event} {String(record)}
        </span>{" "}
        <span class="soft">
          {plural(attempts.length, "attempt")} · {target}
        </span>
      </summary>
      <div class="column delivery-facts">
        {reason !== undefined && <p>{reason}</p>}
        {attempts.length > 0 && <AttemptTable attempts={attempts} />}
        <BodyText text={body} label={`Body of ${delivery.id}`} />
        <p class="hint mono">{delivery.id}</p>
      </div>
    </details>
  );
}

function AttemptTable({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <table>
      <thead>
        <tr>
          {["Attempt", "Time", "Response", "Duration"].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ number, time, status, problem = "none yet", durationMs }) => (
          <tr key={number}>
            <td>{number}</td>
            <td>{formatDate(time)}</td>
            <td>{status === undefined ? problem : <StatusBadge status={status} />}</td>
            <td>{formatMs(durationMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
