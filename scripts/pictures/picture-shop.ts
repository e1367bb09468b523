/** The shop on the pictures: five collections that refer to each other, the same with every run but for their dates. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CATEGORIES = {
  lamp: ["Paper Lantern", "Brass Desk Lamp", "Globe Pendant", "Bedside Lamp", "Arc Floor Lamp", "Clip Light"],
  chair: ["Oak Stool", "Reading Chair", "Rattan Armchair", "Folding Chair", "Bentwood Chair", "Desk Chair"],
  mug: ["Stoneware Mug", "Espresso Cup", "Enamel Mug", "Tea Bowl", "Travel Cup", "Speckled Mug"],
  vase: ["Bud Vase", "Amphora", "Ribbed Vase", "Glass Carafe", "Clay Pitcher", "Tall Vase"],
  clock: ["Station Clock", "Alarm Clock", "Mantel Clock", "Cuckoo Clock", "Wall Clock", "Sand Timer"],
  plant: ["Monstera", "Olive Tree", "Snake Plant", "String of Pearls", "Rubber Fig", "Boston Fern"],
} as const;

/** Line drawings on a grid of 64. */
const DRAWINGS: Readonly<Record<keyof typeof CATEGORIES, string>> = {
  lamp: "M22 12h20l6 20H16zM32 32v18M22 52h20",
  chair: "M22 10v44M22 34h20v20M22 14h16v14H22",
  mug: "M16 18h26v24a8 8 0 0 1-8 8H24a8 8 0 0 1-8-8zM42 24h4a6 6 0 0 1 0 14h-4",
  vase: "M26 10h12M28 10c0 10-10 14-10 26a14 14 0 0 0 28 0c0-12-10-16-10-26",
  clock: "M32 12a20 20 0 1 0 .01 0zM32 20v12l8 6",
  plant: "M22 40h20l-3 14H25zM32 40V22M32 28c-10 0-14-6-14-14 10 0 14 6 14 14zM32 24c8 0 12-5 12-11-8 0-12 5-12 11z",
};

const COLOURS = ["#c2704f", "#4f7a6b", "#3b6ea5", "#d9a441", "#7a5c99", "#b3485d", "#5d6b78", "#8a9a5b"];
const COMPANIES: readonly (readonly [name: string, city: string, country: string])[] = [
  ["Blue Kiln Ceramics", "Porto", "Portugal"],
  ["Moor & Sons", "Leeds", "United Kingdom"],
  ["Norrsken Ljus", "Malmö", "Sweden"],
  ["Casa Ferrante", "Bologna", "Italy"],
  ["Takumi Works", "Kyoto", "Japan"],
  ["Greenhouse Nine", "Utrecht", "Netherlands"],
  ["Atelier Vidal", "Lyon", "France"],
  ["Fjord Furniture", "Bergen", "Norway"],
];
const FIRST_NAMES = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Ken", "Frances", "Niklaus", "Radia", "Donald"];
const LAST_NAMES = [
  "Lovelace",
  "Hopper",
  "Turing",
  "Dijkstra",
  "Liskov",
  "Thompson",
  "Allen",
  "Wirth",
  "Perlman",
  "Knuth",
];
const CITIES = ["Berlin", "Lisbon", "Dublin", "Oslo", "Vienna", "Ghent", "Turin", "Krakow"];
const STATUSES = ["paid", "paid", "shipped", "shipped", "shipped", "delivered", "delivered", "refunded"];
const WORDS = [
  "Exactly as pictured.",
  "Lovely, and well packed.",
  "Smaller than I thought.",
  "A gift that landed.",
  "Would buy again.",
];
const DAY_MS = 86_400_000;

type Made = Record<string, unknown>;

/** Writes the data, the pictures of the products, rewrite rules, rules for records and the configuration. */
export function writeShop(folder: string): void {
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
  write("db.json", shop(Date.now()));
  write("routes.json", { "/api/v1/*": "/$1", "/bestsellers": "/products?_sort=-stock&_limit=10" });
  write("rules.json", {
    products: {
      type: "object",
      required: ["name", "price"],
      properties: {
        name: { type: "string", minLength: 2, description: "As customers see it." },
        category: { type: "string", enum: Object.keys(CATEGORIES) },
        price: { type: "number", minimum: 0, multipleOf: 0.01 },
        stock: { type: "integer", minimum: 0 },
      },
      "x-references": { company_id: "companies" },
    },
  });
  write("standin.json", {
    routes: "routes.json",
    rules: "rules.json",
    snapshots: "snapshots",
    traffic: 1000,
    middlewares: ["cors", "latency"],
    layers: { latency: { minMs: 2, maxMs: 40 } },
  });
  mkdirSync(join(folder, "public/images"), { recursive: true });
  for (const [category, drawing] of Object.entries(DRAWINGS)) {
    for (const [index, colour] of COLOURS.entries()) {
      const picture =
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${colour}"/>` +
        `<path d="${drawing}" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
      writeFileSync(join(folder, `public/images/${category}-${index + 1}.svg`), picture);
    }
  }
}

function shop(now: number): Made {
  const random = randomNumbers(7);
  const upTo = (count: number): number => Math.floor(random() * count);
  const one = <T>(list: readonly T[]): T => list[upTo(list.length)]!;
  const daysAgo = (most: number): string => new Date(now - Math.floor(random() ** 2 * most * DAY_MS)).toISOString();
  const many = <T>(count: number, make: (id: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at + 1));
  const names = Object.entries(CATEGORIES).flatMap(([category, list]) => list.map((name) => ({ category, name })));
  const products = many(144, (id) => {
    const { category, name } = names[(id * 7) % names.length]!;
    const shade = upTo(COLOURS.length);
    const series = Math.floor((id - 1) / names.length);
    return {
      id,
      image: `/images/${category}-${shade + 1}.svg`,
      name: series === 0 ? name : `${name} ${["II", "Mini", "XL"][series - 1]}`,
      category,
      price: Math.round((6 + random() ** 2 * 480) * 100) / 100,
      stock: upTo(9) === 0 ? 0 : upTo(140),
      featured: upTo(4) === 0,
      colour: COLOURS[shade],
      company_id: 1 + upTo(COMPANIES.length),
      added_at: daysAgo(300),
    };
  });
  return {
    products,
    companies: COMPANIES.map(([name, city, country], index) => ({
      id: index + 1,
      name,
      city,
      country,
      founded: 1888 + upTo(130),
      revenue: Math.round(random() * 9e7) / 10,
      headquarter: { lat: Math.round(random() * 60e4) / 1e4, lon: Math.round(random() * 140e4) / 1e4 },
      partner: upTo(3) > 0,
    })),
    customers: many(80, (id) => {
      const [first, last] = [FIRST_NAMES[id % 10]!, LAST_NAMES[(id * 3 + Math.floor(id / 10)) % 10]!];
      return {
        id,
        name: `${first} ${last}`,
        email: `${first}.${last}${id > 40 ? id : ""}@example.com`.toLowerCase(),
        city: one(CITIES),
        newsletter: upTo(3) > 0,
        joined_at: daysAgo(900),
      };
    }),
    orders: many(260, (id) => {
      const product = one(products);
      const quantity = 1 + upTo(4);
      return {
        id,
        customer_id: 1 + upTo(80),
        product_id: product.id,
        quantity,
        total: Math.round(product.price * quantity * 100) / 100,
        status: one(STATUSES),
        ordered_at: daysAgo(60),
      };
    }),
    reviews: many(190, (id) => ({
      id,
      product_id: 1 + upTo(products.length),
      customer_id: 1 + upTo(80),
      rating: Math.min(5, 2 + upTo(5)),
      text: one(WORDS),
      written_at: daysAgo(120),
    })),
    settings: { currency: "EUR", free_shipping_from: 60, open: true },
  };
}

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
