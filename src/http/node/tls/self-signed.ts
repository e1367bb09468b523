import { x509 } from "./x509.ts";

const DAYS = 365;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A curve that every TLS client of the last decade accepts. */
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a certificate for localhost, 127.0.0.1 and ::1, signed by its own key. */
export async function createSelfSigned(): Promise<{ cert: string; key: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const now = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: "CN=localhost",
      // A minute back, for clocks that are not quite together.
      notBefore: new Date(now - 60_000),
      notAfter: new Date(now + DAYS * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([
          { type: "dns", value: "localhost" },
          { type: "ip", value: "127.0.0.1" },
          { type: "ip", value: "::1" },
        ]),
      ],
    },
    crypto,
  );
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { cert: `${certificate.toString("pem")}\n`, key: `${key}\n` };
}
