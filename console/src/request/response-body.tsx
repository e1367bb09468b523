import type { Pair } from "../api/parameters.ts";
import type { Refusal } from "../api/refusal.ts";
import { Button } from "../ui/button.tsx";
import { download } from "../ui/download.ts";
import { BodyText } from "../ui/json-text.tsx";

export type Outcome =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly Pair[];
      /** Empty if the body is no text. */
      readonly text: string;
      /** A body that is no text. */
      readonly binary: Blob | undefined;
      /** Of the body, in bytes. */
      readonly size: number;
      readonly durationMs: number;
    }
  | { readonly kind: "refusal"; readonly refusal: Refusal };
export type ReceivedResponse = Extract<Outcome, { kind: "response" }>;

/** The body as text or, of anything else, a way to save it. */
export function ResponseBody({ outcome, label }: { outcome: ReceivedResponse; label: string }) {
  const { text, binary } = outcome;
  if (binary) {
    const type = binary.type.replace(/;.*/s, "");
    const ending = /^[a-z]+\/([a-z\d]+)$/.exec(type)?.[1] ?? "bin";
    return (
      <div class="cluster actions">
        <p class="hint">The body is not text{type === "" ? "" : ` but ${type}`}.</p>
        <Button look="small" onClick={() => download(`response.${ending}`, binary)}>
          Save it
        </Button>
      </div>
    );
  }
  return text === "" ? <p class="hint">The response has no body.</p> : <BodyText text={text} label={label} />;
}
