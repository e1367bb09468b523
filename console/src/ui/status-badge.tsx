/** A status code, coloured by what it means; the number says the same without colour. */
export function StatusBadge({ status }: { status: number }) {
  const mood = status < 300 ? "good" : status < 400 ? "plain" : status < 500 ? "warn" : "bad";
  return <span class={`badge ${mood}`}>{status}</span>;
}
