import type { Faker } from "@faker-js/faker";
import { Randomness } from "../schema/generate/randomness.ts";
import type { DynamicValues } from "./body-template.ts";

type Maker = (faker: Faker) => string | number | boolean | Date;

/** Postman's dynamic variables, by the names and meanings that its documentation gives them. */
const MAKERS: Readonly<Record<string, Maker>> = {
  guid: ({ string }) => string.uuid(),
  timestamp: () => Math.floor(Date.now() / 1000),
  isoTimestamp: () => new Date(),
  randomUUID: ({ string }) => string.uuid(),

  randomAlphaNumeric: ({ string }) => string.alphanumeric({ length: 1, casing: "lower" }),
  randomBoolean: ({ datatype }) => datatype.boolean(),
  randomInt: ({ number }) => number.int({ min: 0, max: 1000 }),
  randomColor: ({ color }) => color.human(),
  randomHexColor: ({ color }) => color.rgb(),
  randomAbbreviation: ({ hacker }) => hacker.abbreviation(),

  randomIP: ({ internet }) => internet.ipv4(),
  randomIPV6: ({ internet }) => internet.ipv6(),
  randomMACAddress: ({ internet }) => internet.mac(),
  randomPassword: ({ string }) => string.alphanumeric(15),
  randomLocale: ({ location }) => location.language().alpha2,
  randomUserAgent: ({ internet }) => internet.userAgent(),
  randomProtocol: ({ internet }) => internet.protocol(),
  randomSemver: ({ system }) => system.semver(),

  randomFirstName: ({ person }) => person.firstName(),
  randomLastName: ({ person }) => person.lastName(),
  randomFullName: ({ person }) => `${person.firstName()} ${person.lastName()}`,
  randomNamePrefix: ({ person }) => person.prefix(),
  randomNameSuffix: ({ person }) => person.suffix(),
  randomJobArea: ({ person }) => person.jobArea(),
  randomJobDescriptor: ({ person }) => person.jobDescriptor(),
  randomJobTitle: ({ person }) => person.jobTitle(),
  randomJobType: ({ person }) => person.jobType(),

  randomPhoneNumber: (faker) => phoneNumber(faker),
  randomPhoneNumberExt: (faker) => `${faker.number.int({ min: 10, max: 99 })}-${phoneNumber(faker)}`,
  randomCity: ({ location }) => location.city(),
  randomStreetName: ({ location }) => location.street(),
  randomStreetAddress: ({ location }) => location.streetAddress(),
  randomCountry: ({ location }) => location.country(),
  randomCountryCode: ({ location }) => location.countryCode(),
  randomLatitude: ({ location }) => location.latitude(),
  randomLongitude: ({ location }) => location.longitude(),

  randomAvatarImage: ({ image }) => image.avatarGitHub(),
  randomImageUrl: ({ image }) => image.urlPicsumPhotos({ width: 640, height: 480, blur: 0, grayscale: false }),
  randomAbstractImage: picture("abstract"),
  randomAnimalsImage: picture("animals"),
  randomBusinessImage: picture("business"),
  randomCatsImage: picture("cats"),
  randomCityImage: picture("city"),
  randomFoodImage: picture("food"),
  randomNightlifeImage: picture("nightlife"),
  randomFashionImage: picture("fashion"),
  randomPeopleImage: picture("people"),
  randomNatureImage: picture("nature"),
  randomSportsImage: picture("sports"),
  randomTransportImage: picture("transport"),
  randomImageDataUri: ({ image }) => image.dataUri({ width: 640, height: 480, type: "svg-uri" }),

  randomBankAccount: ({ finance }) => finance.accountNumber(8),
  randomBankAccountName: ({ finance }) => finance.accountName(),
  randomCreditCardMask: ({ string }) => string.numeric(4),
  randomBankAccountBic: ({ finance }) => finance.bic(),
  randomBankAccountIban: ({ finance }) => finance.iban(),
  randomTransactionType: ({ finance }) => finance.transactionType(),
  randomCurrencyCode: ({ finance }) => finance.currencyCode(),
  randomCurrencyName: ({ finance }) => finance.currencyName(),
  randomCurrencySymbol: ({ finance }) => finance.currencySymbol(),
  randomBitcoin: ({ finance }) => finance.bitcoinAddress(),
  randomPrice: ({ finance }) => finance.amount({ min: 0, max: 1000, dec: 2 }),

  randomCompanyName: ({ company }) => company.name(),
  randomCompanySuffix: ({ helpers }) => helpers.arrayElement(["Inc", "and Sons", "LLC", "Group"]),
  randomBs: ({ company }) => company.buzzPhrase(),
  randomBsAdjective: ({ company }) => company.buzzAdjective(),
  randomBsBuzz: ({ company }) => company.buzzVerb(),
  randomBsNoun: ({ company }) => company.buzzNoun(),
  randomCatchPhrase: ({ company }) => company.catchPhrase(),
  randomCatchPhraseAdjective: ({ company }) => company.catchPhraseAdjective(),
  randomCatchPhraseDescriptor: ({ company }) => company.catchPhraseDescriptor(),
  randomCatchPhraseNoun: ({ company }) => company.catchPhraseNoun(),

  randomDatabaseColumn: ({ database }) => database.column(),
  randomDatabaseType: ({ database }) => database.type(),
  randomDatabaseCollation: ({ database }) => database.collation(),
  randomDatabaseEngine: ({ database }) => database.engine(),

  randomDateFuture: ({ date }) => date.future(),
  randomDatePast: ({ date }) => date.past(),
  randomDateRecent: ({ date }) => date.recent(),
  randomMonth: ({ date }) => date.month(),
  randomWeekday: ({ date }) => date.weekday(),

  randomDomainName: ({ internet }) => internet.domainName(),
  randomDomainSuffix: ({ internet }) => internet.domainSuffix(),
  randomDomainWord: ({ internet }) => internet.domainWord(),
  randomEmail: ({ internet }) => internet.email(),
  randomExampleEmail: ({ internet }) => internet.exampleEmail(),
  randomUserName: ({ internet }) => internet.username(),
  randomUrl: ({ internet }) => internet.url(),

  randomFileName: ({ system }) => system.fileName(),
  randomFileType: ({ system }) => system.fileType(),
  randomFileExt: ({ system }) => system.fileExt(),
  randomCommonFileName: ({ system }) => system.commonFileName(),
  randomCommonFileType: ({ system }) => system.commonFileType(),
  randomCommonFileExt: ({ system }) => system.commonFileExt(),
  randomFilePath: ({ system }) => system.filePath(),
  randomDirectoryPath: ({ system }) => system.directoryPath(),
  randomMimeType: ({ system }) => system.mimeType(),

  randomDepartment: ({ commerce }) => commerce.department(),
  randomProduct: ({ commerce }) => commerce.product(),
  randomProductName: ({ commerce }) => commerce.productName(),
  randomProductAdjective: ({ commerce }) => commerce.productAdjective(),
  randomProductMaterial: ({ commerce }) => commerce.productMaterial(),

  randomNoun: ({ hacker }) => hacker.noun(),
  randomVerb: ({ hacker }) => hacker.verb(),
  randomIngverb: ({ hacker }) => hacker.ingverb(),
  randomAdjective: ({ hacker }) => hacker.adjective(),
  randomWord: ({ word }) => word.sample(),
  randomWords: ({ word }) => word.words({ count: { min: 2, max: 5 } }),
  randomPhrase: ({ hacker }) => hacker.phrase(),

  randomLoremWord: ({ lorem }) => lorem.word(),
  randomLoremWords: ({ lorem }) => lorem.words(),
  randomLoremSentence: ({ lorem }) => lorem.sentence(),
  randomLoremSentences: ({ lorem }) => lorem.sentences(),
  randomLoremParagraph: ({ lorem }) => lorem.paragraph(),
  randomLoremParagraphs: ({ lorem }) => lorem.paragraphs(),
  randomLoremText: ({ lorem }) => lorem.text(),
  randomLoremSlug: ({ lorem }) => lorem.slug(),
  randomLoremLines: ({ lorem }) => lorem.lines(),
};

/** Values in an order that the seed decides: each call takes the next one. */
export function createDynamicValues(seed: number): DynamicValues {
  const { faker } = new Randomness(seed);
  return {
    has: (name) => name.startsWith("$") && Object.hasOwn(MAKERS, name.slice(1)),
    next: (name) => {
      const value = MAKERS[name.slice(1)]!(faker);
      return value instanceof Date ? value.toISOString() : String(value);
    },
  };
}

function phoneNumber({ helpers }: Faker): string {
  return helpers.fromRegExp("[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}");
}

function picture(category: string): Maker {
  return ({ number }) => `https://loremflickr.com/640/480/${category}?lock=${number.int({ max: 1_000_000 })}`;
}
