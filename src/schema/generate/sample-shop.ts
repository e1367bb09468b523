import { faker } from "@faker-js/faker/locale/en";

const DAY_MS = 86_400_000;
const COUNTS = { categories: 6, products: 60, customers: 30, orders: 120 } as const;
const CATEGORIES = ["Kitchen", "Garden", "Living", "Office", "Kids", "Travel"];
const COLOURS = ["#4f46e5", "#0f766e", "#b45309", "#be185d", "#15803d", "#1d4ed8"];

export interface ShopOptions {
  readonly seed: number;
  /** The time that all dates lead up to. */
  readonly now: number;
}

/** The number of records, in words. */
export const SHOP_WORDS = `a shop with ${COUNTS.products} products and ${COUNTS.orders} orders`;

/** A shop with a field of every kind that the console shows in its own way: pictures, states, dates, tags, places. */
export function generateShop({ seed, now }: ShopOptions) {
  faker.seed(seed);
  const chance = (share: number): boolean => faker.datatype.boolean(share);
  const below = (count: number): number => faker.number.int({ min: 1, max: count });
  const daysAgo = (most: number): string =>
    new Date(now - faker.number.float({ min: 0, max: most }) * DAY_MS).toISOString();
  const list = <T>(count: number, make: (id: number) => T): ({ id: number } & T)[] =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...make(at + 1) }));
  const products = list(COUNTS.products, (id) => ({
    image: picture(COLOURS[id % COLOURS.length] ?? "", id),
    name: faker.commerce.productName(),
    price: faker.number.float({ min: 4, max: 400, fractionDigits: 2 }),
    status: faker.helpers.weightedArrayElement([
      { value: "active", weight: 7 },
      { value: "draft", weight: 2 },
      { value: "archived", weight: 1 },
    ]),
    featured: chance(0.2),
    stock: chance(0.1) ? 0 : below(90),
    tags: faker.helpers.arrayElements(["new", "sale", "gift", "handmade", "eco"], { min: 0, max: 3 }),
    category_id: below(COUNTS.categories),
    added_at: daysAgo(365),
  }));
  return {
    categories: list(COUNTS.categories, (id) => ({ name: CATEGORIES[id - 1] ?? "" })),
    products,
    customers: list(COUNTS.customers, (id) => {
      const [first, last] = [faker.person.firstName(), faker.person.lastName()];
      return {
        name: `${first} ${last}`,
        email: `${first}.${last}${id}@example.com`.toLowerCase().replace(/[^\w.@]/g, ""),
        city: faker.location.city(),
        place: { lat: faker.location.latitude({ max: 60, min: -40 }), lon: faker.location.longitude() },
        joined_on: daysAgo(700).slice(0, 10),
      };
    }),
    orders: list(COUNTS.orders, () => {
      const [product_id, quantity] = [below(COUNTS.products), below(4)];
      const total = Math.round((products[product_id - 1]?.price ?? 0) * quantity * 100) / 100;
      // Most of them lately.
      const placed_at = daysAgo(faker.number.float({ min: 1, max: 90 }));
      return {
        customer_id: below(COUNTS.customers),
        product_id,
        quantity,
        total,
        ...stateOf(placed_at, now),
        placed_at,
      };
    }),
  };
}

/** The older an order is, the further it has come. */
function stateOf(placed: string, now: number): { status: string } {
  const days = (now - Date.parse(placed)) / DAY_MS;
  if (faker.datatype.boolean(0.08)) return { status: "cancelled" };
  if (days < 2) return { status: "pending" };
  return { status: days < 4 ? "paid" : days < 9 ? "shipped" : "delivered" };
}

/** A picture of a few shapes that needs no other server. */
function picture(colour: string, id: number): string {
  const [round, turn] = [id % 3 === 0 ? 16 : 4, (id * 37) % 90];
  const shape = `<rect x='8' y='8' width='16' height='16' rx='${round}' fill='#fff' transform='rotate(${turn} 16 16)'/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' fill='${colour}'/>${shape}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll("#", "%23").replaceAll("<", "%3C").replaceAll(">", "%3E")}`;
}
