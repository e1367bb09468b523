import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { StartError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/file-problem.ts";
import { ownFile, writeOwnFile } from "../../../store/file/own-folder.ts";

/** A certificate with its key, both in PEM, and the thumbprints a client can compare. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The file that holds `cert`, if it could be written. */
  readonly file: string;
  /** Upper-case hex without colons, as .NET shows it. */
  readonly sha1: string;
  readonly sha256: string;
  readonly isSelfSigned: boolean;
  /** Problems of the files that do not prevent their use. */
  readonly warning?: string | undefined;
  /** Keeps a new one for the next start; left out where there is nothing to keep. */
  readonly keep?: () => void;
}

/** A self-signed certificate is made anew when it has less than this left. */
const RENEW_BEFORE_MS = 24 * 60 * 60 * 1000;

/** Reads the user's own pair; a `StartError` says what is missing, mismatched or expired. */
export function loadCertificate(certFile: string, keyFile: string): Certificate {
  const cert = readPem(certFile, "certificate");
  const key = readPem(keyFile, "key");
  const parsed = parse(() => new X509Certificate(cert), `${certFile} is not a certificate in PEM format`);
  const privateKey = parse(() => createPrivateKey(key), `${keyFile} is not an unencrypted private key in PEM format`);
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new StartError(`The certificate ${certFile} and the key ${keyFile} do not belong together.`);
  }
  if (Date.parse(parsed.validTo) < Date.now()) {
    throw new StartError(`The certificate ${certFile} expired on ${parsed.validTo}. Renew it, or leave the pair out.`);
  }
  return { cert, key, file: certFile, ...thumbprints(parsed), isSelfSigned: false, warning: keyWarning(keyFile) };
}

/** A warning about a key that other users of the machine can read; undefined where none is due. */
function keyWarning(keyFile: string): string | undefined {
  // Windows has no such modes.
  if (process.platform === "win32") return undefined;
  const mode = statSync(keyFile).mode & 0o777;
  if ((mode & 0o004) === 0) return undefined;
  return `Every user of this machine can read the private key ${keyFile} (mode ${mode.toString(8)}). Run chmod 600 on it.`;
}

/** A certificate for this machine's own names, kept beside the data so that its thumbprints last. */
export async function selfSignedCertificate(source: string): Promise<Certificate> {
  const former = readKept(source);
  if (former) return former;
  // Loaded only when one must be made.
  const { createSelfSigned } = await import("./self-signed.ts");
  const { cert, key } = createSelfSigned();
  const keep = (): void => {
    try {
      writeOwnFile(source, "cert.pem", cert);
      writeOwnFile(source, "key.pem", key);
    } catch {
      // Where nothing can be kept, the certificate lasts as long as the process.
    }
  };
  const file = ownFile(source, "cert.pem");
  return { cert, key, file, ...thumbprints(new X509Certificate(cert)), isSelfSigned: true, keep };
}

function readKept(source: string): Certificate | undefined {
  const [certFile, keyFile] = [ownFile(source, "cert.pem"), ownFile(source, "key.pem")];
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
  try {
    const cert = readFileSync(certFile, "utf8");
    const key = readFileSync(keyFile, "utf8");
    const parsed = new X509Certificate(cert);
    const isGood =
      Date.parse(parsed.validTo) - RENEW_BEFORE_MS > Date.now() && parsed.checkPrivateKey(createPrivateKey(key));
    return isGood ? { cert, key, file: certFile, ...thumbprints(parsed), isSelfSigned: true } : undefined;
  } catch {
    return undefined;
  }
}

function readPem(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new StartError(`The ${what} ${file} cannot be read: ${fileProblem(thrown)}`);
  }
}

function parse<T>(read: () => T, problem: string): T {
  try {
    return read();
  } catch {
    throw new StartError(`${problem}.`);
  }
}

function thumbprints({ fingerprint, fingerprint256 }: X509Certificate): { sha1: string; sha256: string } {
  return { sha1: fingerprint.replaceAll(":", ""), sha256: fingerprint256.replaceAll(":", "") };
}
