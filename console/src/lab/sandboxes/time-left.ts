/** Rough times: "45 s", "12 min", "3 h", "2 d". */
export function roughTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** The time until a sandbox is removed: to the second in its last minutes. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 3600) return roughTime(ms);
  if (seconds < 60) return `${seconds} s`;
  if (seconds >= 600) return `${Math.ceil(seconds / 60)} min`;
  const two = String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${two} min`;
}
