import { join, resolve } from "node:path";
import { StartError } from "../base/errors.ts";
import { realPath } from "../base/files/atomic-write.ts";
import type { ServeOptions } from "../config/options.ts";
import type { Certificate } from "../http/node/tls/certificate.ts";
import { layoutOf } from "../store/open-store.ts";

/** Opens the certificate; undefined for plain HTTP. A pair of files switches HTTPS on, half a pair is an error. */
export async function openCertificate(
  { https, cert, key }: Pick<ServeOptions, "https" | "cert" | "key">,
  source?: string,
): Promise<Certificate | undefined> {
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? "cert" : "key";
    throw new StartError(`HTTPS needs both a certificate and a key, and --${missing} ("ssl.${missing}") is missing.`);
  }
  if (!https && cert === undefined) return undefined;
  const { loadCertificate, selfSignedCertificate } = await import("../http/node/tls/certificate.ts");
  if (cert !== undefined && key !== undefined) return loadCertificate(cert, key);
  // Next to the data, like all our files; in the current folder if the data is not a file.
  const anchor =
    (source === undefined ? undefined : layoutOf(source)?.anchor) ?? join(realPath(resolve(".")), "standin");
  return selfSignedCertificate(anchor);
}

/** Notes that help to make a client trust the certificate. */
export function certificateNotes({ isSelfSigned, sha1, sha256 }: Certificate): string[] {
  return [
    isSelfSigned ? "the certificate is self-signed, for localhost, 127.0.0.1 and ::1" : "serving with your certificate",
    `SHA-1 thumbprint   ${sha1}`,
    `SHA-256 thumbprint ${sha256}`,
  ];
}
