import pluralize from "pluralize";
import { spacedWords } from "../../inference/field-names.ts";
import type { Randomness } from "../randomness.ts";
import { FORMAT_MAKERS, type Make } from "./text-in-format.ts";

/** Where a text is wanted: the field, and the fields and the collection around it, the nearest first. */
export interface TextPlace {
  readonly names: readonly string[];
}

/** Texts by the last words of a field's name. The first entry that matches counts. */
const BY_NAME: readonly (readonly [RegExp, Make])[] = [
  [/(^| )e ?mails?( address)?$/, ({ faker }) => faker.internet.exampleEmail().toLowerCase()],
  [/(^| )(first|given|fore) ?name$/, ({ faker }) => faker.person.firstName()],
  [/(^| )(last|family|sur) ?name$/, ({ faker }) => faker.person.lastName()],
  [/(^| )(middle name)$/, ({ faker }) => faker.person.middleName()],
  [/(^| )(user ?name|login|nick ?name|handle)$/, ({ faker }) => faker.internet.username().toLowerCase()],
  [
    /(^| )(display|full|contact|customer|author|owner|recipient|sender|card ?holder) ?name$/,
    ({ faker }) => faker.person.fullName(),
  ],
  [
    /(^| )(author|owner|customer|assignee|reviewer|creator|editor|manager|sender|recipient|contact|artist)$/,
    ({ faker }) => faker.person.fullName(),
  ],
  [
    /(^| )(company|organi[sz]ation|employer|vendor|supplier|manufacturer|publisher)( name)?$/,
    ({ faker }) => faker.company.name(),
  ],
  [/(^| )brand( name)?$/, ({ faker }) => faker.company.name().replace(/[ ,].*/s, "")],
  [/(^| )(job|job title|profession|occupation|position)$/, ({ faker }) => faker.person.jobTitle()],
  [/(^| )(department)$/, ({ faker }) => faker.commerce.department()],
  [/(^| )(city|town|birthplace)$/, ({ faker }) => faker.location.city()],
  [/(^| )(country code)$/, ({ faker }) => faker.location.countryCode()],
  [/(^| )(country|nationality)( name)?$/, ({ faker }) => faker.location.country()],
  [
    /(^| )(province|region|county)$|(address|shipping|billing|home|us|federal) state$/,
    ({ faker }) => faker.location.state(),
  ],
  [/(^| )(zip|zip ?code|postal ?code|post ?code|plz)$/, ({ faker }) => faker.location.zipCode("#####")],
  [/(^| )(ip|ip address|ipv4|network address)$/, FORMAT_MAKERS.ipv4],
  [/(^| )(mac|mac address)$/, ({ faker }) => faker.internet.mac()],
  [
    /(^| )(street|street address|address line|address|address ?1|line ?1)$/,
    ({ faker }) => faker.location.streetAddress(),
  ],
  [/(^| )(time ?zone|tz)$/, ({ faker }) => faker.location.timeZone()],
  [
    /(^| )(phone|telephone|mobile|fax|cell)( number| no)?$/,
    ({ faker }) => faker.phone.number({ style: "international" }),
  ],
  [
    /(^| )(avatar|image|picture|photo|thumbnail|logo|cover|icon)( ur[il]| src)?$/,
    (random) => `https://example.com/images/${random.between(1, 1000)}.png`,
  ],
  [/(^| )(ur[il]|website|web ?site|homepage|link|href|webpage|permalink|self)$/, FORMAT_MAKERS.uri],
  [/(^| )(domain|host|host ?name|server|fqdn)$/, FORMAT_MAKERS.hostname],
  [/(^| )(uuid|guid)$/, FORMAT_MAKERS.uuid],
  [/(^| )(hash|checksum|sha|digest|etag)$/, (random) => letters("0123456789abcdef", 40, random)],
  [/(^| )(token|secret|api key|key|password|session)$/, (random) => letters(ALPHANUMERIC, 20, random)],
  [
    /(^| )(sku|article number|item number|part number|product code|item code)$/,
    (random) => `${letters(CAPITALS, 3, random)}-${letters("0123456789", 5, random)}`,
  ],
  [/(^| )(ean|gtin|barcode|bar code|upc)$/, (random) => letters("0123456789", 13, random)],
  [/(^| )isbn$/, ({ faker }) => faker.commerce.isbn()],
  [/(^| )iban$/, ({ faker }) => faker.finance.iban()],
  [/(^| )(bic|swift)$/, ({ faker }) => faker.finance.bic()],
  [/(^| )(vin)$/, ({ faker }) => faker.vehicle.vin()],
  [/(^| )(licen[cs]e plate|number plate|plate)$/, ({ faker }) => faker.vehicle.vrm()],
  [/(^| )(slug)$/, ({ faker }) => faker.lorem.slug(3)],
  [/(^| )(currency|currency code)$/, ({ faker }) => faker.finance.currencyCode()],
  [
    /(^| )(lang|language|language code|locale)$/,
    (random) => random.pick(["en", "de", "fr", "es", "it", "nl", "pl", "pt"]),
  ],
  [/(^| )(colou?r)$/, ({ faker }) => faker.color.human()],
  [/(^| )(material)$/, ({ faker }) => faker.commerce.productMaterial()],
  [/(^| )(gender|sex)$/, ({ faker }) => faker.person.sex()],
  [/(^| )last ?4$/, (random) => letters("0123456789", 4, random)],
  [/(^| )(status)$/, (random) => random.pick(["new", "active", "done"])],
  [/(^| )(category|genre|section)$/, ({ faker }) => faker.commerce.department()],
  [/(^| )(tags?|keywords?|labels?|topics?)$/, ({ faker }) => faker.word.noun()],
  [/(^| )(mime ?type|content type|media type)$/, ({ faker }) => faker.system.mimeType()],
  [/(^| )(file ?name|file)$/, ({ faker }) => faker.system.fileName()],
  [/(^| )(path|file path|directory|folder)$/, ({ faker }) => `/${faker.lorem.slug(2).replace("-", "/")}`],
  [/(^| )(lat|latitude)$/, ({ faker }) => String(faker.location.latitude())],
  [/(^| )(lng|lon|longitude)$/, ({ faker }) => String(faker.location.longitude())],
  [/(^| )(price|amount|cost|fee|balance|subtotal|total)$/, FORMAT_MAKERS.decimal],
  [/(^| )(version)$/, (random) => `${random.between(0, 9)}.${random.between(0, 20)}.${random.between(0, 20)}`],
  [/(^| )(title|subject|headline|heading|caption)$/, ({ faker }) => capitalised(faker.lorem.words({ min: 2, max: 5 }))],
  [
    /(^| )(description|summary|abstract|bio|biography|about|details|excerpt|intro)$/,
    ({ faker }) => faker.lorem.sentence(),
  ],
  [
    /(^| )(text|body|content|comment|comments|note|notes|message|review|remark|remarks|feedback|question|answer)$/,
    ({ faker }) => faker.lorem.sentences(2),
  ],
  [/( at|( |^)(timestamp|datetime|date time|created|updated|modified|deleted|published))$/, FORMAT_MAKERS["date-time"]],
  [/(^| )(date|day|birthday|birthdate|dob|deadline|due)$|^(date|day) |(^| )date of | on$/, FORMAT_MAKERS.date],
  [/(^| )(time)$/, FORMAT_MAKERS.time],
  [
    /(^| )(code|number|no|nr|reference|ref|serial)$/,
    (random) => `${letters(CAPITALS, 2, random)}${letters("0123456789", 6, random)}`,
  ],
];

/** Names of things, by the words of the collection or object that has the field `name`. */
const NAMES_OF: readonly (readonly [RegExp, Make])[] = [
  [/(^| )(product|item|article|good|ware)$/, ({ faker }) => faker.commerce.productName()],
  [
    /(^| )(compan(y|ie)|organi[sz]ation|vendor|supplier|client|brand|manufacturer|publisher|store|shop|employer)$/,
    ({ faker }) => faker.company.name(),
  ],
  [
    /(^| )(user|person|people|customer|author|employee|member|contact|student|teacher|player|patient|doctor|profile|owner|guest|driver|artist|friend)$/,
    ({ faker }) => faker.person.fullName(),
  ],
  [/(^| )(cit(y|ie)|location|place|town)$/, ({ faker }) => faker.location.city()],
  [/(^| )countr(y|ie)$/, ({ faker }) => faker.location.country()],
  [/(^| )(state|region|province)$/, ({ faker }) => faker.location.state()],
  [/(^| )(categor(y|ie)|department)$/, ({ faker }) => faker.commerce.department()],
  [/(^| )(book|film|movie|album|song|post|course)$/, ({ faker }) => faker.book.title()],
  [/(^| )(tag|label|topic|keyword)$/, ({ faker }) => faker.word.noun()],
  [/(^| )(colou?r)$/, ({ faker }) => faker.color.human()],
  [/(^| )(animal|pet)$/, ({ faker }) => faker.animal.petName()],
  [/(^| )(recipe|dish|meal|food)$/, ({ faker }) => faker.food.dish()],
  [/(^| )(vehicle|car)$/, ({ faker }) => faker.vehicle.vehicle()],
];

const CAPITALS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const makers = new Map<string, Make>();
const MAX_MAKERS = 10_000;
/** Fields whose texts may depend on what is around them. */
const BY_CONTEXT = /name|label|state$/i;
const OF_STATES = /(address|shipping|billing|home|us|federal) state$/;
const OF_PLACES =
  /(^| )(address(es)?|location|place|shipping|billing|city|cities|customer|compan(y|ies)|person|people|user|owner|store|office|venue|contact|patient|supplier|employee|headquarter|hotel|hospital|school|restaurant|building|propert(y|ie))s?$/;

/** A text that suits the name of its field; a few words where the name says nothing. */
export function plausibleText({ names }: TextPlace, random: Randomness): string {
  const [name = ""] = names;
  const key = BY_CONTEXT.test(name) ? names.join("\n") : name;
  let make = makers.get(key);
  if (!make) {
    if (makers.size === MAX_MAKERS) makers.clear();
    make = makerFor(names);
    makers.set(key, make);
  }
  return make(random);
}

/** Whether the name of a field says which texts suit it. */
export function hasKnownName(names: readonly string[]): boolean {
  return knownMakerFor(names) !== undefined;
}

function makerFor(names: readonly string[]): Make {
  const isName = /(?:^| )(?:name|label)$/.test(spacedWords(names[0] ?? ""));
  const count = { min: 1, max: 3 };
  return (
    knownMakerFor(names) ??
    (isName ? ({ faker }) => capitalised(faker.word.words({ count })) : ({ faker }) => faker.word.words({ count }))
  );
}

function knownMakerFor([name = "", ...around]: readonly string[]): Make | undefined {
  const words = spacedWords(name);
  // The state of an address is a place, and that of anything else how it stands.
  if (/(^| )state$/.test(words) && !OF_STATES.test(words)) {
    const isPlace = around.some((one) => OF_PLACES.test(spacedWords(one)));
    return isPlace ? ({ faker }) => faker.location.state() : (random) => random.pick(["new", "active", "done"]);
  }
  const byName = BY_NAME.find(([pattern]) => pattern.test(words))?.[1];
  if (byName) return byName;
  const thing = /^(?:(.*) )?(?:name|label)$/.exec(words);
  if (thing) {
    const things = [thing[1] ?? "", ...around.map(spacedWords)].map((one) => pluralize.singular(one));
    const found = things.flatMap((one) => NAMES_OF.find(([pattern]) => pattern.test(one))?.[1] ?? []);
    return found[0];
  }
  // A list such as `cities` has texts of its singular.
  const singular = pluralize.singular(words);
  const ofList =
    BY_NAME.find(([pattern]) => pattern.test(singular)) ?? NAMES_OF.find(([pattern]) => pattern.test(singular));
  return ofList?.[1];
}

export function letters(from: string, length: number, random: Randomness): string {
  let text = "";
  while (text.length < length) text += from[random.between(0, from.length - 1)];
  return text;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
