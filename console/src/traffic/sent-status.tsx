import { StatusBadge } from "../ui/status-badge.tsx";

/** The status of a response, or that there was none. */
export function SentStatus({ status }: { status: number }) {
  return status === 0 ? <span class="badge bad">none</span> : <StatusBadge status={status} />;
}
