import { parseJson } from "../api/json.ts";
import { formatBytes } from "./format.ts";
import { JsonCode } from "./json-code.tsx";
import { ScrollRegion } from "./scroll-region.tsx";

/** A longer text makes the page slow; curl can show the rest. */
const LONGEST = 200_000;

/** Shows a body as text, indented if it is JSON. Never interprets it as HTML. */
export function BodyText({ text, label }: { text: string; label: string }) {
  const isLong = text.length > LONGEST;
  const value = isLong ? undefined : parseJson(text);
  const shown = value === undefined ? text.slice(0, LONGEST) : JSON.stringify(value, null, 2);
  return (
    <>
      <ScrollRegion look="code" label={label}>
        {value === undefined ? <pre>{shown}</pre> : <JsonCode text={shown} />}
      </ScrollRegion>
      {isLong && (
        <p class="hint">
          The first {formatBytes(LONGEST)} of {formatBytes(text.length)} are shown.
        </p>
      )}
    </>
  );
}
