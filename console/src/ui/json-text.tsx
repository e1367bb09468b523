import { parseJson } from "../api/json.ts";
import { formatBytes } from "./format.ts";
import { ScrollRegion } from "./scroll-region.tsx";

/** More than this makes a page slow; the rest can be had with curl. */
const LONGEST = 200_000;

/** A body as text, indented when it is JSON. It goes in as text alone, whatever it holds. */
export function BodyText({ text, label }: { text: string; label: string }) {
  const isLong = text.length > LONGEST;
  const value = isLong ? undefined : parseJson(text);
  const shown = value === undefined ? text.slice(0, LONGEST) : JSON.stringify(value, null, 2);
  return (
    <>
      <ScrollRegion look="code" label={label}>
        <pre>{shown}</pre>
      </ScrollRegion>
      {isLong && (
        <p class="hint">
          The first {formatBytes(LONGEST)} of {formatBytes(text.length)} are shown.
        </p>
      )}
    </>
  );
}
