import type { Json, JsonObject } from "../../api/json.ts";
import { seededRandom } from "../../ui/seeded-random.ts";
import type { NewMember } from "./add-members.ts";

export const TEMPLATES = {
  shop: { title: "A shop", collections: "companies, products, customers, orders" },
  blog: { title: "A blog", collections: "users, posts, comments" },
  tasks: { title: "A task board", collections: "users, projects, tasks" },
} as const;
export type Template = keyof typeof TEMPLATES;

export interface SampleOptions {
  readonly template: Template;
  /** The number of records in the largest collection. */
  readonly count: number;
  /** The primary key field, and how foreign keys end. */
  readonly idKey: string;
  readonly suffix: string;
  /** The time on the server's clock, which the dates lead up to. */
  readonly now: number;
}

const DAY_MS = 86_400_000;

/** Makes related collections with plausible records; the same options give the same records. */
export function sampleData({ template, count, idKey, suffix, now }: SampleOptions): NewMember[] {
  const pick = createPick(count);
  const few = Math.max(3, Math.round(count / 5));
  const collection = (name: string, size: number, make: (at: number) => JsonObject): NewMember => ({
    name,
    kind: "collection",
    records: Array.from({ length: size }, (_, at) => ({ [idKey]: at + 1, ...make(at) })),
  });
  const referring = (name: string, size: number): JsonObject => ({ [`${name}${suffix}`]: pick.below(size) + 1 });
  const person = (at: number): JsonObject => {
    const [first, last] = [pick.of(PEOPLE.first), pick.of(PEOPLE.last)];
    const email = `${first}.${last}${at + 1}@example.com`.toLowerCase();
    return { name: `${first} ${last}`, email, city: pick.of(PLACES) };
  };
  const thing = (): string => `${pick.of(QUALITIES)} ${pick.of(NOUNS)}`;
  const deed = (): string => `${pick.of(VERBS)} the ${thing().toLowerCase()}`;
  /** Within a day, so many days from now. */
  const time = (days: number): string => new Date(now + days * DAY_MS - pick.below(DAY_MS)).toISOString();
  switch (template) {
    case "shop":
      return [
        collection("companies", few, () => ({ name: `${pick.of(PEOPLE.last)} ${pick.of(["& Co.", "Ltd", "Works"])}` })),
        collection("products", count, (at) => ({
          image: picture(pick.of(COLOURS), at),
          name: thing(),
          price: (pick.below(9900) + 100) / 100,
          status: pick.of(["active", "active", "active", "draft", "archived"]),
          inStock: pick.below(5) > 0,
          ...referring("company", few),
          addedOn: time((at % 300) - Math.min(count, 300) + 1).slice(0, 10),
        })),
        collection("customers", few, person),
        collection("orders", count, (at) => ({
          ...referring("customer", few),
          ...referring("product", count),
          quantity: pick.below(5) + 1,
          status: pick.of(["open", "paid", "sent", "returned"]),
          orderedAt: time((at % 90) - Math.min(count, 90) + 1),
        })),
      ];
    case "blog":
      return [
        collection("users", few, person),
        collection("posts", few, (at) => ({
          title: deed(),
          text: `${deed()}, then ${deed().toLowerCase()}.`,
          published: pick.below(4) > 0,
          publishedAt: time(at - few + 1),
          ...referring("user", few),
        })),
        collection("comments", count, () => ({
          text: `${pick.of(["Great", "Thanks", "Hm", "Well done"])}: ${deed().toLowerCase()}.`,
          ...referring("post", few),
          ...referring("user", few),
        })),
      ];
    case "tasks":
      return [
        collection("users", few, person),
        collection("projects", few, () => ({ name: thing(), color: pick.of(["#4f46e5", "#11693a", "#b42318"]) })),
        collection("tasks", count, (at) => ({
          title: deed(),
          done: pick.below(3) === 0,
          priority: pick.of(["low", "normal", "high"]),
          dueAt: time((at % 60) - 20).slice(0, 10),
          ...referring("project", few),
          ...referring("user", few),
        })),
      ];
  }
}

/** A picture as an address that needs no other server. */
function picture(colour: string, at: number): string {
  const back = `<rect width='32' height='32' fill='${colour}'/>`;
  const shape = `<circle cx='16' cy='16' r='${6 + (at % 5)}' fill='white'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${back}${shape}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Chooses evenly, and the same for the same seed. */
function createPick(seed: number) {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return { below, of: <T extends Json>(values: readonly T[]): T => values[below(values.length)] as T };
}

const PEOPLE = {
  first: [
    "Ada",
    "Grace",
    "Alan",
    "Edsger",
    "Barbara",
    "Donald",
    "Katherine",
    "Linus",
    "Margaret",
    "Tim",
    "Radia",
    "Ken",
  ],
  last: ["Okafor", "Lind", "Moreau", "Sato", "Novak", "Alvarez", "Haddad", "Berg", "Kaya", "Silva", "Dunn", "Ivanova"],
};
const COLOURS = ["#4f46e5", "#0f766e", "#b45309", "#be185d", "#15803d"];
const PLACES = ["Oslo", "Lisbon", "Nairobi", "Osaka", "Toronto", "Lima", "Graz", "Leeds", "Pune", "Hobart"];
const QUALITIES = ["Oak", "Steel", "Linen", "Clay", "Brass", "Paper", "Wool", "Glass", "Cork", "Walnut"];
const NOUNS = ["Lamp", "Chair", "Kettle", "Shelf", "Mug", "Basket", "Clock", "Blanket", "Ladder", "Bench"];
const VERBS = ["Paint", "Repair", "Measure", "Order", "Sketch", "Review", "Pack", "Clean", "Test", "Describe"];
