import type { Masking } from "./masking.ts";

const ALNUM = "[A-Za-z\\d]";
const HEX = "[\\dA-Fa-f]";
const UPPER = "[A-Z\\d]";
const WORD = "[\\w-]";
const CODED = "[\\w+/=.-]";

/**
 * Tokens of services: which characters, and at least how many, follow one of the beginnings. A beginning that ends with
 * `/` is that of an address, and is shown. The guide to recording lists the names.
 */
export const TOKEN_FORMS: readonly (readonly [name: string, characters: string, length: number, beginnings: string])[] =
  [
    ["1Password", CODED, 30, "ops_eyJ"],
    ["Adobe", ALNUM, 32, "p8e-"],
    ["age", UPPER, 40, "AGE-SECRET-KEY-"],
    ["Alibaba", ALNUM, 20, "LTAI"],
    ["Anthropic", WORD, 16, "sk-ant-"],
    ["Artifactory", ALNUM, 60, "AKCp"],
    ["Atlassian", CODED, 20, "ATATT3 ATCTT3"],
    ["AWS", UPPER, 16, "AKIA ASIA"],
    ["AWS", CODED, 40, "ABSKQmVk"],
    ["Brevo", WORD, 40, "xkeysib-"],
    ["Clojars", ALNUM, 40, "CLOJARS_"],
    ["Databricks", HEX, 32, "dapi"],
    ["DigitalOcean", HEX, 32, "dop_v1_ doo_v1_ dor_v1_"],
    ["Discord", "[\\w/-]", 40, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"],
    ["Docker", WORD, 20, "dckr_pat_ dckr_oat_"],
    ["Doppler", CODED, 16, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit."],
    ["Duffel", WORD, 30, "duffel_live_ duffel_test_"],
    ["Dynatrace", CODED, 40, "dt0c01."],
    ["EasyPost", ALNUM, 50, "EZAK EZTK"],
    ["Figma", WORD, 30, "figd_"],
    ["Flutterwave", WORD, 12, "FLWSECK_TEST- FLWSECK-"],
    ["Fly.io", CODED, 40, "fo1_ fm1a_ fm1r_ fm2_"],
    ["Frame.io", WORD, 40, "fio-u-"],
    ["GitHub", "\\w", 20, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"],
    ["GitLab", WORD, 16, "glpat- glptt- gldt- glrt- glcbt- glffct- glft- glimt- glagent- gloas- glsoat- GR1348941"],
    ["Google", WORD, 20, "AIza GOCSPX- ya29."],
    ["Grafana", CODED, 32, "glc_ glsa_"],
    ["Groq", ALNUM, 40, "gsk_"],
    ["Heroku", WORD, 40, "HRKU-AA"],
    ["Hugging Face", ALNUM, 30, "hf_ api_org_"],
    ["Infracost", ALNUM, 32, "ico-"],
    ["Linear", ALNUM, 30, "lin_api_ lin_oauth_"],
    ["Mailgun", HEX, 32, "key-"],
    ["Microsoft Teams", "[\\w/@-]", 40, "webhook.office.com/webhookb2/ outlook.office.com/webhook/"],
    ["New Relic", WORD, 19, "NRAK- NRII- NRJS-"],
    ["Notion", ALNUM, 40, "ntn_ secret_"],
    ["npm", ALNUM, 20, "npm_"],
    ["NVIDIA", WORD, 40, "nvapi-"],
    ["Octopus Deploy", UPPER, 26, "API-"],
    ["OpenAI", WORD, 16, "sk-proj- sk-svcacct- sk-admin-"],
    ["OpenAI", ALNUM, 32, "sk-"],
    ["OpenRouter", WORD, 32, "sk-or-v1-"],
    ["OpenShift", WORD, 43, "sha256~"],
    ["Perplexity", ALNUM, 40, "pplx-"],
    ["PlanetScale", CODED, 32, "pscale_tkn_ pscale_oauth_ pscale_pw_"],
    ["Postman", WORD, 50, "PMAK-"],
    ["Prefect", ALNUM, 36, "pnu_"],
    ["Pulumi", HEX, 40, "pul-"],
    ["PyPI", WORD, 30, "pypi-Ag"],
    ["ReadMe", ALNUM, 60, "rdme_"],
    ["Replicate", ALNUM, 36, "r8_"],
    ["RubyGems", HEX, 40, "rubygems_"],
    ["Scalingo", WORD, 40, "tk-us-"],
    ["SendGrid", CODED, 40, "SG."],
    ["Sentry", CODED, 40, "sntrys_ sntryu_"],
    ["SettleMint", ALNUM, 16, "sm_aat_ sm_pat_ sm_sat_"],
    ["Shippo", HEX, 32, "shippo_live_ shippo_test_"],
    ["Shopify", HEX, 32, "shpat_ shpca_ shppa_ shpss_"],
    ["Slack", WORD, 10, "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-"],
    ["Slack", CODED, 20, "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/"],
    ["Sonar", HEX, 40, "squ_ sqp_ sqa_"],
    ["Sourcegraph", "\\w", 40, "sgp_"],
    ["Square", WORD, 22, "sq0atp- sq0csp-"],
    ["Stripe", "\\w", 10, "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_"],
    ["Stripe", CODED, 20, "whsec_"],
    ["Supabase", HEX, 40, "sbp_"],
    ["Tailscale", WORD, 20, "tskey-"],
    ["Twilio", HEX, 32, "SK"],
    ["Typeform", CODED, 40, "tfp_"],
    ["Vault", WORD, 20, "hvs. hvb. hvr."],
    ["xAI", ALNUM, 60, "xai-"],
    ["Yandex", WORD, 35, "AQVN"],
    ["hashed password", "[\\w$+/=,.-]", 20, "$2a$ $2b$ $2y$ $argon2 $scrypt$ $pbkdf2 $5$ $6$"],
  ];

/** Linear: no run of characters is read again from its middle. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ["private key", /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!--)){0,20000}(?:-----END [A-Z ]*-----)?/g],
  ["JWT", /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g],
  ["email", /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]*\w/g],
];
/** Spares most positions of a text the look at all beginnings. */
const FIRST = new Set(TOKEN_FORMS.flatMap(([, , , beginnings]) => beginnings.split(" ").map((one) => one.charAt(0))));
const TOKEN = new RegExp(
  `(?<![A-Za-z\\d])(?=[${[...FIRST].join("")}])(?:${TOKEN_FORMS.map(([, characters, length, beginnings]) => {
    const all = beginnings.replace(/[.$]/g, "\\$&").replaceAll(" ", "|");
    return `(?:${all})${characters}{${length},}`;
  }).join("|")})`,
  "g",
);
/** Numbers that may be those of cards: of the length and with the beginning that issuers use. */
const CARD =
  /(?<![\d.-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d)|35\d\d)(?:[ -]?\d{4}){3}(?![\d.-])|(?<![\d.-])3[47]\d\d[ -]?\d{6}[ -]?\d{5}(?![\d.-])/g;
/** Every form has one of these, and so has base64 of a secret: a long word, a part of a card number, or of a key. */
const HINT = /[\w$.+=@-]{15}|\d{4}[ -]\d{4}|PRIVATE KEY/;

/** A quick check that excludes most texts. */
export function mayHoldForm(text: string): boolean {
  return HINT.test(text);
}

/** Masks the secrets that are known by their look, wherever they stand. */
export function maskForms(text: string, masking: Masking): string {
  let masked = text.replace(TOKEN, (secret) => {
    const [name, shown] = serviceOf(secret);
    return shown + masking.replace(secret.slice(shown.length), `${name} token`);
  });
  for (const [name, form] of FORMS) {
    if (name !== "email" || masking.isSecret(name)) {
      masked = masked.replace(form, (secret) => masking.replace(secret, name));
    }
  }
  return masked.replace(CARD, (number) => (hasCheckDigit(number) ? masking.replace(number, "card number") : number));
}

/** Whether a number is that of a card. */
export function isCardNumber(digits: string): boolean {
  return digits.search(CARD) === 0 && hasCheckDigit(digits);
}

function serviceOf(token: string): [name: string, shown: string] {
  for (const [name, , , beginnings] of TOKEN_FORMS) {
    const beginning = beginnings.split(" ").find((one) => token.startsWith(one));
    if (beginning !== undefined) return [name, beginning.endsWith("/") ? beginning : ""];
  }
  return ["", ""];
}

/** The check digit of card numbers (Luhn). */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  const digits = number.replace(/\D/g, "");
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
