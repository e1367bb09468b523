// Copied by `npm run docs` from src/schema/generate/sample-data.ts.

/** A collection with its records. */
interface SampleCollection {
  readonly name: string;
  readonly kind: "collection";
  readonly records: readonly SampleRecord[];
}
type SampleRecord = { [field: string]: SampleValue };
type SampleValue = string | number | boolean | string[] | SampleRecord;

interface Place {
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}

export type SampleTemplate = "shop" | "blog" | "tasks";

export interface SampleDataOptions {
  readonly template: SampleTemplate;
  /** The number of records in the largest collection. */
  readonly count: number;
  /** The primary key field, and how foreign keys end. */
  readonly idKey: string;
  readonly suffix: string;
  /** The time on the server's clock, which the dates lead up to. */
  readonly now: number;
  /** Draws numbers from 0 up to 1; the same numbers give the same records. */
  readonly random: () => number;
}

const DAY_MS = 86_400_000;

/** Makes related collections with plausible records. It imports nothing: `npm run docs` copies it into the console. */
export function sampleData(options: SampleDataOptions): SampleCollection[] {
  const maker = new Maker(options);
  if (options.template === "shop") return makeShop(maker);
  return options.template === "blog" ? makeBlog(maker) : makeTasks(maker);
}

class Maker {
  readonly count: number;
  /** For the smaller collections. */
  readonly few: number;
  readonly now: number;
  readonly #random: () => number;
  readonly #idKey: string;
  readonly #suffix: string;

  constructor({ count, idKey, suffix, now, random }: SampleDataOptions) {
    this.count = count;
    this.few = Math.max(3, Math.round(count / 5));
    this.now = now;
    this.#random = random;
    this.#idKey = idKey;
    this.#suffix = suffix;
  }

  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  /** A day between so many ago and now. */
  daysAgo(most: number): number {
    return this.now - this.#random() * most * DAY_MS;
  }

  /** Within a day, so many days from now. */
  time(days: number): string {
    return new Date(this.now + days * DAY_MS - this.below(DAY_MS)).toISOString();
  }

  collection(name: string, size: number, make: (at: number) => SampleRecord): SampleCollection {
    const records = Array.from({ length: size }, (_, at) => ({ [this.#idKey]: at + 1, ...make(at) }));
    return { name, kind: "collection", records };
  }

  referring(name: string, to: number): SampleRecord {
    return { [`${name}${this.#suffix}`]: to };
  }

  person(at: number): { name: string; email: string; city: string } {
    const [first, last] = [this.pick(PEOPLE.first), this.pick(PEOPLE.last)];
    const email = `${first}.${last}${at + 1}@example.com`.toLowerCase();
    return { name: `${first} ${last}`, email, city: this.pick(PLACES).name };
  }

  thing(): string {
    return `${this.pick(QUALITIES)} ${this.pick(NOUNS)}`;
  }

  deed(): string {
    return `${this.pick(VERBS)} the ${this.thing().toLowerCase()}`;
  }
}

/** A shop with a field of every kind that the console shows in its own way: pictures, states, dates, tags, places. */
function makeShop(maker: Maker): SampleCollection[] {
  const { count, now } = maker;
  const [productCount, customerCount] = [Math.ceil(count / 2), Math.ceil(count / 4)];
  const prices = Array.from({ length: productCount }, () => (maker.below(39_600) + 400) / 100);
  return [
    maker.collection("categories", CATEGORIES.length, (at) => ({ name: CATEGORIES[at] ?? "" })),
    maker.collection("products", productCount, (at) => ({
      image: picture(at + 1),
      name: maker.thing(),
      price: prices[at] ?? 0,
      status: maker.chance(0.7) ? "active" : maker.pick(["draft", "draft", "archived"]),
      featured: maker.chance(0.2),
      stock: maker.chance(0.1) ? 0 : maker.below(90) + 1,
      tags: TAGS.filter(() => maker.chance(0.3)),
      ...maker.referring("category", maker.below(CATEGORIES.length) + 1),
      added_at: new Date(maker.daysAgo(365)).toISOString(),
    })),
    maker.collection("customers", customerCount, (at) => {
      const person = maker.person(at);
      const { lat, lon } = PLACES.find(({ name }) => name === person.city) ?? PLACES[0];
      // Somewhere around the city, so that two of them are two points of a map.
      const near = (degrees: number): number => Math.round((degrees + maker.below(100) / 500 - 0.1) * 1e4) / 1e4;
      const joined_on = new Date(maker.daysAgo(700)).toISOString().slice(0, 10);
      return { ...person, place: { lat: near(lat), lon: near(lon) }, joined_on };
    }),
    maker.collection("orders", count, () => {
      const [product, quantity] = [maker.below(productCount) + 1, maker.below(4) + 1];
      // Most of them lately.
      const placedAt = maker.daysAgo(1 + maker.below(90));
      return {
        ...maker.referring("customer", maker.below(customerCount) + 1),
        ...maker.referring("product", product),
        quantity,
        total: Math.round((prices[product - 1] ?? 0) * quantity * 100) / 100,
        status: maker.chance(0.08) ? "cancelled" : stateAfter((now - placedAt) / DAY_MS),
        placed_at: new Date(placedAt).toISOString(),
      };
    }),
  ];
}

/** The older an order is, the further it has come. */
function stateAfter(days: number): string {
  if (days < 2) return "pending";
  return days < 4 ? "paid" : days < 9 ? "shipped" : "delivered";
}

/** A picture of a few shapes that needs no other server. */
function picture(id: number): string {
  const [round, turn] = [id % 3 === 0 ? 16 : 4, (id * 37) % 90];
  const back = `<rect width='32' height='32' fill='${COLOURS[id % COLOURS.length]}'/>`;
  const shape = `<rect x='8' y='8' width='16' height='16' rx='${round}' fill='#fff' transform='rotate(${turn} 16 16)'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${back}${shape}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll("#", "%23").replaceAll("<", "%3C").replaceAll(">", "%3E")}`;
}

function makeBlog(maker: Maker): SampleCollection[] {
  const { count, few } = maker;
  const someone = (): SampleRecord => maker.referring("user", maker.below(few) + 1);
  return [
    maker.collection("users", few, (at) => maker.person(at)),
    maker.collection("posts", few, (at) => ({
      title: maker.deed(),
      text: `${maker.deed()}, then ${maker.deed().toLowerCase()}.`,
      published: maker.chance(0.75),
      publishedAt: maker.time(at - few + 1),
      ...someone(),
    })),
    maker.collection("comments", count, () => ({
      text: `${maker.pick(["Great", "Thanks", "Hm", "Well done"])}: ${maker.deed().toLowerCase()}.`,
      ...maker.referring("post", maker.below(few) + 1),
      ...someone(),
    })),
  ];
}

function makeTasks(maker: Maker): SampleCollection[] {
  const { count, few } = maker;
  return [
    maker.collection("users", few, (at) => maker.person(at)),
    maker.collection("projects", few, () => ({ name: maker.thing(), color: maker.pick(COLOURS) })),
    maker.collection("tasks", count, (at) => ({
      title: maker.deed(),
      done: maker.chance(0.33),
      priority: maker.pick(["low", "normal", "high"]),
      dueAt: maker.time((at % 60) - 20).slice(0, 10),
      ...maker.referring("project", maker.below(few) + 1),
      ...maker.referring("user", maker.below(few) + 1),
    })),
  ];
}

const CATEGORIES = ["Kitchen", "Garden", "Living", "Office", "Kids", "Travel"] as const;
const TAGS = ["new", "sale", "gift", "handmade", "eco"];
const COLOURS = ["#4f46e5", "#0f766e", "#b45309", "#be185d", "#15803d", "#1d4ed8"] as const;
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
} as const;
const PLACES: readonly [Place, ...Place[]] = [
  { name: "Oslo", lat: 59.91, lon: 10.75 },
  { name: "Lisbon", lat: 38.72, lon: -9.14 },
  { name: "Nairobi", lat: -1.29, lon: 36.82 },
  { name: "Osaka", lat: 34.69, lon: 135.5 },
  { name: "Toronto", lat: 43.65, lon: -79.38 },
  { name: "Lima", lat: -12.05, lon: -77.04 },
  { name: "Graz", lat: 47.07, lon: 15.44 },
  { name: "Leeds", lat: 53.8, lon: -1.55 },
  { name: "Pune", lat: 18.52, lon: 73.86 },
  { name: "Hobart", lat: -42.88, lon: 147.33 },
];
const QUALITIES = ["Oak", "Steel", "Linen", "Clay", "Brass", "Paper", "Wool", "Glass", "Cork", "Walnut"] as const;
const NOUNS = ["Lamp", "Chair", "Kettle", "Shelf", "Mug", "Basket", "Clock", "Blanket", "Ladder", "Bench"] as const;
const VERBS = ["Paint", "Repair", "Measure", "Order", "Sketch", "Review", "Pack", "Clean", "Test", "Describe"] as const;
