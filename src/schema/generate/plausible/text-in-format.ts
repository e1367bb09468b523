import { Buffer } from "../../../base/platform/buffer.ts";
import type { Randomness } from "../randomness.ts";

/** Times lie in these years, so that a seed gives the same ones on every day. */
const FIRST_MS = Date.UTC(2024, 0, 1);
const LAST_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;

export type Make = (random: Randomness) => string;

export const FORMAT_MAKERS = {
  "date-time": (random) => new Date(time(random)).toISOString().replace(".000Z", "Z"),
  "date-time-rfc-2822": (random) => new Date(time(random)).toUTCString().replace("GMT", "+0000"),
  date: (random) => new Date(time(random)).toISOString().slice(0, 10),
  time: (random) => `${new Date(time(random)).toISOString().slice(11, 19)}Z`,
  duration: (random) => `P${random.between(1, 30)}DT${random.between(1, 23)}H`,
  email: ({ faker }) => faker.internet.exampleEmail().toLowerCase(),
  "idn-email": ({ faker }) => faker.internet.exampleEmail().toLowerCase(),
  hostname: ({ faker }) => `${faker.internet.domainWord()}.example.com`,
  "idn-hostname": ({ faker }) => `${faker.internet.domainWord()}.example.com`,
  ipv4: (random) => [10, random.between(0, 255), random.between(0, 255), random.between(1, 254)].join("."),
  ipv6: (random) => Array.from({ length: 8 }, () => random.between(0, 0xffff).toString(16)).join(":"),
  uri: ({ faker }) => `https://example.com/${faker.lorem.slug(2)}`,
  "uri-reference": ({ faker }) => `/${faker.lorem.slug(2)}`,
  iri: ({ faker }) => `https://example.com/${faker.lorem.slug(2)}`,
  "iri-reference": ({ faker }) => `/${faker.lorem.slug(2)}`,
  "uri-template": ({ faker }) => `https://example.com/${faker.lorem.slug(2)}/{id}`,
  uuid: (random) => uuid(random),
  "json-pointer": ({ faker }) => `/${faker.lorem.slug(2).replace("-", "/")}`,
  "relative-json-pointer": (random) => `${random.between(0, 3)}/${random.faker.lorem.slug(1)}`,
  byte: ({ faker }) => Buffer.from(faker.lorem.words({ min: 2, max: 4 })).toString("base64"),
  url: ({ faker }) => `https://example.com/${faker.lorem.slug(2)}`,
  decimal: (random) => (random.between(100, 99_999) / 100).toFixed(2),
  regex: ({ faker }) => `^${faker.lorem.slug(1)}$`,
} satisfies Record<string, Make>;
const MAKERS_BY_FORMAT: ReadonlyMap<string, Make> = new Map(Object.entries(FORMAT_MAKERS));

/** A text of a format of JSON Schema or OpenAPI; undefined for an unknown one, which allows any text. */
export function textInFormat(format: string, random: Randomness): string | undefined {
  return MAKERS_BY_FORMAT.get(format)?.(random);
}

function time(random: Randomness): number {
  return FIRST_MS + random.between(0, (LAST_MS - FIRST_MS) / SECOND_MS - 1) * SECOND_MS;
}

/** Version 4, as random ones are. */
function uuid(random: Randomness): string {
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => random.between(0, 15).toString(16));
}
