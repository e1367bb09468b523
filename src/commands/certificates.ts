import { join, resolve } from "node:path";
import { realPath } from "../atomic-write.ts";
import type { ServeOptions } from "../config/options.ts";
import { StartError } from "../errors.ts";
import type { Certificate } from "../http/tls/certificate.ts";
import { layoutOf } from "../store/open.ts";

/** The certificate to serve with; undefined for plain HTTP. A pair switches HTTPS on, half a pair stops the start. */
export async function openCertificate(
  { https, cert, key }: Pick<ServeOptions, "https" | "cert" | "key">,
  source?: string,
): Promise<Certificate | undefined> {
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined ? ["key", "cert"] : ["cert", "key"];
    throw new StartError(`HTTPS wants a pair: "ssl.${given}" is given, but "ssl.${missing}" (--${missing}) is not.`);
  }
  if (!https && cert === undefined) return undefined;
  const { loadCertificate, selfSignedCertificate } = await import("../http/tls/certificate.ts");
  if (cert !== undefined && key !== undefined) return loadCertificate(cert, key);
  // Beside the data, like everything we keep; for data from elsewhere, in the current folder.
  const anchor =
    (source === undefined ? undefined : layoutOf(source)?.anchor) ?? join(realPath(resolve(".")), "standin");
  return selfSignedCertificate(anchor);
}

/** What a person needs to make a client trust it. */
export function certificateNotes({ isSelfSigned, sha1, sha256 }: Certificate): string[] {
  return [
    isSelfSigned ? "the certificate is self-signed, for localhost, 127.0.0.1 and ::1" : "serving with your certificate",
    `SHA-1 thumbprint   ${sha1}`,
    `SHA-256 thumbprint ${sha256}`,
  ];
}
