import type { Faker } from "@faker-js/faker";
// One locale: the whole package takes 200 ms longer to load.
import { faker } from "@faker-js/faker/locale/en";

/** The numbers of records to generate, and the seed. */
export interface DatasetOptions {
  readonly products: number;
  readonly companies: number;
  readonly seed?: number | undefined;
  /** Called with the number of records done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Records per piece: memory use stays at one piece, however large the dataset. */
const PIECE = 1000;

/**
 * Generates the text of a data file with random but coherent products and companies, piece by piece. Every product refers
 * to an existing company. The same seed gives the same text.
 */
export function* generateDataset({ products, companies, seed, onProgress }: DatasetOptions): Generator<string> {
  faker.seed(seed);
  yield '{\n  "products": [';
  yield* renderRecords(products, (id) => product(faker, id, companies), onProgress);
  yield '],\n  "companies": [';
  yield* renderRecords(
    companies,
    (id) => company(faker, id),
    (done) => onProgress?.(products + done),
  );
  yield "]\n}\n";
}

function* renderRecords(
  count: number,
  create: (id: number) => object,
  onProgress: ((done: number) => void) | undefined,
): Generator<string> {
  let piece = "";
  for (let id = 1; id <= count; id++) {
    const text = JSON.stringify(create(id), null, 2).replaceAll("\n", "\n    ");
    piece += `${id === 1 ? "" : ","}\n    ${text}`;
    if (id % PIECE !== 0 && id !== count) continue;
    yield piece;
    piece = "";
    onProgress?.(id);
  }
  if (count > 0) yield "\n  ";
}

function product(faker: Faker, id: number, companies: number) {
  return {
    id,
    name: faker.commerce.productName(),
    price: faker.number.float({ min: 1, max: 1000, fractionDigits: 2 }),
    company_id: faker.number.int({ min: 1, max: companies }),
  };
}

function company(faker: Faker, id: number) {
  return {
    id,
    name: faker.company.name(),
    revenue: faker.number.float({ min: 1_000_000, max: 100_000_000, fractionDigits: 2 }),
    headquarter: { lat: faker.location.latitude(), lon: faker.location.longitude() },
    locations: Array.from({ length: faker.number.int({ min: 1, max: 5 }) }, () => ({
      city: faker.location.city(),
      employee_number: faker.number.int({ min: 10, max: 10_000 }),
      state: faker.location.state(),
    })),
  };
}
