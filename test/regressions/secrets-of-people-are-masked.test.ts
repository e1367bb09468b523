import { describe, expect, test } from "vitest";
import { maskBody } from "../../src/base/secrets/mask-body.ts";
import { maskAddress, maskHeader } from "../../src/base/secrets/mask-text.ts";
import { isSecretName } from "../../src/base/secrets/secret-name.ts";
import { startApi } from "../support/api.ts";

const secret = [
  ...["pin", "userPin", "pin_code", "PIN", "cvv", "cvc", "card_cvv", "passwort", "Benutzerpasswort", "kennwort"],
  ...["creditCard", "credit_card", "creditCardNumber", "cardNumber", "card-number", "cardNo", "securityCode", "iban"],
  ...["ssn", "socialSecurityNumber", "otp", "motDePasse", "mot_de_passe", "mdp", "senha", "contraseña", "wachtwoord"],
  ...["pw", "kreditkarte", "kartennummer", "verificationCode", "mfa_code", "connectionString"],
  ...["пароль", "密码", "hasło", "heslo", "lösenord", "geheim"],
];
const open = [
  ...["code", "shipping", "spin", "opinion", "pinned", "keyboard", "author", "card", "cards", "discard", "wildcard"],
  ...[
    "security",
    "country_code",
    "zipCode",
    "passenger",
    "compass",
    "class",
    "clavier",
    "missing",
    "libano",
    "connection",
    "verification",
    "karte",
  ],
];

describe("names", () => {
  for (const name of secret) test(`${name} is secret`, () => expect(isSecretName(name)).toBe(true));
  for (const name of open) test(`${name} is not`, () => expect(isSecretName(name)).toBe(false));
});

test("in bodies, where code stays", () => {
  const body = JSON.stringify({ pin: 1234, code: "ID_TAKEN", card: { creditCard: "4111", cvv: "1" }, passwort: "x" });
  expect(JSON.parse(maskBody(body))).toEqual({
    pin: "...",
    code: "ID_TAKEN",
    card: { creditCard: "...", cvv: "..." },
    passwort: "...",
  });
  expect(maskBody("code=42&pin=1234")).toBe("code=42&pin=...");
});

const addresses: [given: string, shown: string][] = [
  ["/callback?code=abc&state=1", "/callback?code=...&state=1"],
  ["/callback?a=1&%63ode=abc", "/callback?a=1&%63ode=..."],
  ["/callback?CODE=abc", "/callback?CODE=..."],
  ["/a?pin=1234", "/a?pin=..."],
  ["/countries?country_code=de", "/countries?country_code=de"],
  ["/a?next=%2Fcallback%3Fcode%3Dabc", "/a?next=..."],
];
for (const [given, shown] of addresses) test(`${given} -> ${shown}`, () => expect(maskAddress(given)).toBe(shown));

test("in addresses that headers hold", () => {
  expect(maskHeader("referer", "https://shop.test/callback?code=abc&x=1")).toBe(
    "https://shop.test/callback?code=...&x=1",
  );
});

test("the traffic shows none of them", async () => {
  const api = await startApi();
  await api.ask("POST /products?code=oauth-code&pin=9876", {
    body: { name: "Hat", pin: 5432, creditCard: "4111 1111", code: "STAYS" },
  });
  const { text } = await api.ask("GET /__requests");
  for (const hidden of ["oauth-code", "9876", "5432", "4111"]) expect(text).not.toContain(hidden);
  expect(text).toContain("STAYS");
});
