// The certificate library finds its parts through this polyfill; it must come first.
import "reflect-metadata";
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";

const DAY_MS = 86_400_000;

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate with its key, both in PEM, as a user may bring them: for localhost, valid between these days from now. */
export async function createPair(fromDays = -1, toDays = 30): Promise<Pair> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: "CN=my own",
      notBefore: new Date(Date.now() + fromDays * DAY_MS),
      notAfter: new Date(Date.now() + toDays * DAY_MS),
      signingAlgorithm: algorithm,
      keys,
      extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }])],
    },
    crypto,
  );
  const key = PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { cert: certificate.toString("pem"), key };
}
