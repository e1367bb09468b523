/** Numbers, sizes and times as people read them. */
const NUMBER = new Intl.NumberFormat("en-US");

export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** The name of a field; an invisible one, such as spaces, is described in words. */
export function formatName(name: string): string {
  return name.trim() === "" ? "(no name)" : name;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 record", "12 records". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function formatMs(ms: number | undefined): string {
  if (ms === undefined) return "–";
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export function formatUptime(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(seconds)} s`;
}

/** The time of day with its milliseconds, for things that happen in quick succession. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${clock}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

/** The time of day to the second. */
export function formatClock(time: number): string {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** Made once: it costs as much as drawing some rows of a table. */
const DATES = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export function formatDate(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : DATES.format(time);
}
