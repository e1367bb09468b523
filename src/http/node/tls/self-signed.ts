import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { der } from "./der.ts";

const DAYS = 365;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A curve that every TLS client of the last decade accepts. */
const CURVE = "P-256";
const ECDSA_WITH_SHA256 = der.sequence(der.objectId("1.2.840.10045.4.3.2"));
const LOCALHOST = der.sequence(der.set(der.sequence(der.objectId("2.5.4.3"), der.text("localhost"))));
const IPV4 = Buffer.from([127, 0, 0, 1]);
const IPV6 = Buffer.from([...new Array<number>(15).fill(0), 1]);

/** The extensions of RFC 5280, 4.2.1: not for signing others, for servers, and for these names. */
const EXTENSIONS = der.sequence(
  der.sequence(der.objectId("2.5.29.19"), der.isTrue, der.octets(der.sequence())),
  // The first bit is digitalSignature.
  der.sequence(der.objectId("2.5.29.15"), der.isTrue, der.octets(der.bits(Buffer.from([0x80]), 7))),
  der.sequence(der.objectId("2.5.29.37"), der.octets(der.sequence(der.objectId("1.3.6.1.5.5.7.3.1")))),
  der.sequence(
    der.objectId("2.5.29.17"),
    der.octets(
      der.sequence(der.inContext(2, Buffer.from("localhost")), der.inContext(7, IPV4), der.inContext(7, IPV6)),
    ),
  ),
);

/** Makes a certificate for localhost, 127.0.0.1 and ::1, signed by its own key. */
export function createSelfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: CURVE });
  const now = Date.now();
  const serial = randomBytes(16);
  // The shortest form begins with neither 00 nor a sign.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const content = der.sequence(
    der.inContext(0, der.integer(Buffer.from([2])), true),
    der.integer(serial),
    ECDSA_WITH_SHA256,
    LOCALHOST,
    // A minute back, for clocks that are not quite together.
    der.sequence(der.time(now - 60_000), der.time(now + DAYS * DAY_MS)),
    LOCALHOST,
    publicKey.export({ type: "spki", format: "der" }),
    der.inContext(3, EXTENSIONS, true),
  );
  const signed = der.sequence(content, ECDSA_WITH_SHA256, der.bits(sign("sha256", content, privateKey)));
  const lines = signed.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
