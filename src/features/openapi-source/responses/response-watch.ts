import type { Json, JsonObject } from "../../../base/json/json.ts";
import type { Reporter } from "../../../base/reporter.ts";
import { pointerSteps, valueAtPointer } from "../../../schema/pointer.ts";
import type { Rendering, StoredRecord } from "../../../store/stored-record.ts";

/** A violation of a schema: where in the body, and what. */
interface Found {
  readonly pointer: string;
  readonly message: string;
}

export type FindViolations = (value: Json) => readonly Found[];

/** Of whole bodies, the first of an operation and each of these many is checked. */
const BODIES_BETWEEN = 100;
/** Different violations that are named in the log; all are counted. */
const MAX_NAMED = 50;

/** The check of records as one response shows them. */
export interface RecordCheck {
  readonly label: string;
  readonly check: FindViolations;
  readonly rendering: Rendering | undefined;
  /** The records that were looked at. */
  readonly seen: WeakSet<StoredRecord>;
}

/** The check of whole bodies of one operation. */
export interface BodyCheck {
  readonly label: string;
  readonly check: () => FindViolations;
  /** The bodies so far. */
  count: number;
}

/**
 * Looks at responses before they are sent. Each stored version of a record is checked once, and whole bodies now and then.
 * A response that breaks the document is a fault of ours or of the data: it is sent, but logged and counted.
 */
export class ResponseWatch {
  readonly #reporter: () => Reporter | undefined;
  readonly #named = new Set<string>();
  /** Records and bodies that were sent although they break the document. */
  invalid = 0;
  /** Records and bodies that were looked at. */
  checked = 0;

  constructor(reporter: () => Reporter | undefined) {
    this.#reporter = reporter;
  }

  records(check: RecordCheck, records: readonly StoredRecord[]): void {
    const { seen } = check;
    for (const record of records) {
      if (seen.has(record)) continue;
      seen.add(record);
      const { rendering } = check;
      this.#compare(
        check.label,
        check.check,
        rendering ? (JSON.parse(record.textIn(rendering)) as Json) : record.value,
      );
    }
  }

  /** Checks a whole body, if it is its turn. */
  body(one: BodyCheck, json: string): void {
    if (one.count++ % BODIES_BETWEEN === 0) this.#compare(one.label, one.check(), JSON.parse(json) as Json);
  }

  #compare(label: string, check: FindViolations, value: Json): void {
    this.checked++;
    const [first, ...more] = check(value).filter((one) => !isPathAsUri(value, one));
    if (!first) return;
    this.invalid++;
    const text = `${label}: the response breaks the document at ${first.pointer || "/"}: ${first.message}`;
    const kind = `${label} ${first.pointer.replace(/\/\d+/g, "/0")}`;
    if (this.#named.has(kind) || this.#named.size >= MAX_NAMED) return;
    this.#named.add(kind);
    this.#reporter()?.warn(more.length > 0 ? `${text} (and ${more.length} more)` : text);
  }

  get facts(): JsonObject {
    return { checkedResponses: this.checked, invalidResponses: this.invalid };
  }
}

/** Documents whose addresses are paths often call them URIs: that is their word, and no fault. */
function isPathAsUri(value: Json, { pointer, message }: Found): boolean {
  if (!message.includes("a URI, such as")) return false;
  const held = valueAtPointer(value, pointerSteps(pointer));
  return typeof held === "string" && held.startsWith("/");
}
