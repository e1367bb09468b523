import { tokensOf } from "./json-tokens.ts";

/** A longer text would need too many elements. */
const LONGEST = 20_000;

/** JSON with coloured keys and values; the text is the same without colours. */
export function JsonCode({ text }: { text: string }) {
  if (text.length > LONGEST) return <pre>{text}</pre>;
  return (
    <pre>
      {tokensOf(text).map(({ kind, text: part }, index) =>
        kind === undefined ? (
          part
        ) : (
          <span key={index} class={`json-${kind}`}>
            {part}
          </span>
        ),
      )}
    </pre>
  );
}
