import { Buffer } from "../../../base/platform/buffer.ts";
import type { Randomness } from "../randomness.ts";

/** Times lie in these years, so that a seed gives the same ones on every day. */
const FIRST_MS = Date.UTC(2024, 0, 1);
const LAST_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1000;

export type Make = (random: Randomness) => string;

export const FORMAT_MAKERS = {
  "date-time": (random) => new Date(anyTime(random)).toISOString().replace(".000Z", "Z"),
  "date-time-rfc-2822": (random) => new Date(anyTime(random)).toUTCString().replace("GMT", "+0000"),
  date: (random) => new Date(anyTime(random)).toISOString().slice(0, 10),
  time: (random) => `${new Date(anyTime(random)).toISOString().slice(11, 19)}Z`,
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
  "date-only": (random) => new Date(anyTime(random)).toISOString().slice(0, 10),
  datetime: (random) => new Date(anyTime(random)).toISOString().replace(".000Z", "Z"),
  "datetime-only": (random) => new Date(anyTime(random)).toISOString().slice(0, 19),
  "time-only": (random) => new Date(anyTime(random)).toISOString().slice(11, 19),
  "iso-country-code": ({ faker }) => faker.location.countryCode(),
  "country-code": ({ faker }) => faker.location.countryCode(),
  currency: ({ faker }) => faker.finance.currencyCode(),
  "phone-number": ({ faker }) => faker.phone.number({ style: "international" }),
  regex: ({ faker }) => `^${faker.lorem.slug(1)}$`,
} satisfies Record<string, Make>;
const MAKERS_BY_FORMAT: ReadonlyMap<string, Make> = new Map(Object.entries(FORMAT_MAKERS));

/** A text of a format of JSON Schema or OpenAPI; undefined for an unknown one, which allows any text. */
export function textInFormat(format: string, random: Randomness): string | undefined {
  return MAKERS_BY_FORMAT.get(format)?.(random);
}

/** A time since 1970 in milliseconds, of whole seconds. */
export function anyTime(random: Randomness): number {
  return FIRST_MS + random.between(0, (LAST_MS - FIRST_MS) / SECOND_MS - 1) * SECOND_MS;
}

/** Whether texts of a format can be made. */
export function isKnownFormat(format: string): boolean {
  return MAKERS_BY_FORMAT.has(format);
}

/** Version 4, as random ones are. */
function uuid(random: Randomness): string {
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => random.between(0, 15).toString(16));
}
