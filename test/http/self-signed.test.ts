import "reflect-metadata";
import { createPrivateKey, X509Certificate } from "node:crypto";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as OtherCertificate,
  SubjectAlternativeNameExtension,
} from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { der } from "../../src/http/node/tls/der.ts";
import { createSelfSigned } from "../../src/http/node/tls/self-signed.ts";

describe("the self-signed certificate", () => {
  test("is read the same by another library", async () => {
    const { cert, key } = createSelfSigned();
    const read = new OtherCertificate(cert);
    expect([read.subject, read.issuer]).toEqual(["CN=localhost", "CN=localhost"]);
    expect(read.notAfter.getTime() - read.notBefore.getTime()).toBe(365 * 86_400_000 + 60_000);
    expect(read.getExtension(BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true });
    const usages = read.getExtension(KeyUsagesExtension);
    expect(usages).toMatchObject({ usages: KeyUsageFlags.digitalSignature, critical: true });
    expect(read.getExtension(ExtendedKeyUsageExtension)?.usages).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(read.getExtension(SubjectAlternativeNameExtension)?.names.toJSON()).toEqual([
      { type: "dns", value: "localhost" },
      { type: "ip", value: "127.0.0.1" },
      { type: "ip", value: "::1" },
    ]);
    expect(await read.verify()).toBe(true);
    expect(read.toString("pem")).toBe(cert.trimEnd());
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test("no two have a serial number in common, and none is negative", () => {
    const serials = Array.from({ length: 20 }, () => new X509Certificate(createSelfSigned().cert).serialNumber);
    expect(new Set(serials).size).toBe(20);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });
});

/** X.690, 8.1.3 and 8.19; RFC 5280, 4.1.2.5. */
const ENCODED: [name: string, value: Buffer, hex: string][] = [
  ["a short length", der.octets(Buffer.alloc(1)), "040100"],
  ["a length of one byte", der.octets(Buffer.alloc(128)).subarray(0, 3), "048180"],
  ["a length of two bytes", der.octets(Buffer.alloc(300)).subarray(0, 4), "0482012c"],
  ["a number whose first bit is no sign", der.integer(Buffer.from([0x80])), "02020080"],
  ["an object id", der.objectId("1.2.840.113549"), "06062a864886f70d"],
  ["a time before 2050", der.time(Date.UTC(2049, 11, 31, 23, 59, 59)), `170d${hex("491231235959Z")}`],
  ["a time from 2050 on", der.time(Date.UTC(2050, 0)), `180f${hex("20500101000000Z")}`],
];

test.each(ENCODED)("DER: %s", (_, value, expected) => {
  expect(value.toString("hex")).toBe(expected);
});

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}
