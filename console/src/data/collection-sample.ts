import type { Json, JsonObject } from "../api/json.ts";
import { seededRandom } from "../ui/seeded-random.ts";

/** The types that a field of a new collection can have, by their names for people. */
export const FIELD_TYPES = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  choice: "Choice",
  date: "Date",
  time: "Date and time",
  email: "E-mail",
  picture: "Picture",
  reference: "Record of",
} as const;
export type SampleType = keyof typeof FIELD_TYPES;

export interface SampleField {
  readonly name: string;
  readonly type: SampleType;
  /** The values of a choice, separated by commas; the collection of a reference. */
  readonly of: string;
}

interface SampleOptions {
  readonly count: number;
  /** The time that dates lead up to. */
  readonly now: number;
  /** The ids of the records that a reference can lead to. */
  readonly idsOf: (collection: string) => readonly Json[];
}

const DAY_MS = 86_400_000;
const WORDS = ["Oak", "Steel", "Linen", "Clay", "Brass", "Wool", "Glass", "Cork", "Walnut", "Paper"];
const THINGS = ["Lamp", "Chair", "Kettle", "Shelf", "Mug", "Basket", "Clock", "Blanket", "Bench", "Tray"];

/** Records with the fields and types chosen; the same choice gives the same records. */
export function sampleRecords(fields: readonly SampleField[], { count, now, idsOf }: SampleOptions): JsonObject[] {
  const random = seededRandom(count);
  const below = (end: number): number => Math.floor(random() * end);
  const of = (values: readonly Json[]): Json => values[below(values.length)] ?? null;
  const time = (): string => new Date(now - below(90 * DAY_MS)).toISOString();
  const make: Readonly<Record<SampleType, (field: SampleField, at: number) => Json>> = {
    text: () => `${of(WORDS)} ${of(THINGS)}`,
    number: () => below(50_000) / 100,
    boolean: () => below(2) === 0,
    choice: ({ of: values }) => of(choicesIn(values)),
    date: () => time().slice(0, 10),
    time,
    email: (_field, at) => `${String(of(WORDS)).toLowerCase()}.${at + 1}@example.com`,
    picture: () => picture(below(360)),
    reference: ({ of: collection }) => of(idsOf(collection)),
  };
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(fields.map((field) => [field.name.trim(), make[field.type](field, at)])),
  );
}

/** The reason why records cannot have these fields; undefined if they can. */
export function problemInSample(fields: readonly SampleField[]): string | undefined {
  const names = fields.map(({ name }) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (names.includes("")) return `Field ${names.indexOf("") + 1} needs a name.`;
  if (twice !== undefined) return `Two fields are called ${twice}. Rename one of them.`;
  const empty = fields.find(({ type, of }) => type === "choice" && choicesIn(of).length === 0);
  return empty && `${empty.name} has no values to choose from. Type some, such as open, paid, sent.`;
}

/** "open, paid" as a list of values. */
export function choicesIn(text: string): string[] {
  const values = text.split(",").map((value) => value.trim());
  return values.filter((value) => value !== "");
}

/** An address that needs no other server. */
function picture(hue: number): string {
  const shape = `<circle cx='16' cy='16' r='10' fill='hsl(${hue} 60% 50%)'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${shape}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
