/** A stored file as records show it. */
export interface FileObject {
  /** As the client named it: shown, never used as a path. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  /** `/__files/<sha256>/<name>`. */
  readonly url: string;
}

const SHA256 = /^[\da-f]{64}$/;

export function isSha256(text: unknown): text is string {
  return typeof text === "string" && SHA256.test(text);
}

/** The address of a stored file, below the base of the server. */
export function fileUrl(sha256: string, name: string): string {
  return `/__files/${sha256}/${encodeURIComponent(name)}`;
}

/** Whether a value is a file as a record holds it; its address may have a base in front, and a signature behind it. */
export function isFileObject(value: unknown): value is FileObject {
  if (typeof value !== "object" || value === null || !("sha256" in value)) return false;
  const { name, type, size, sha256, url } = value as Partial<Record<keyof FileObject, unknown>>;
  if (!isSha256(sha256) || typeof name !== "string" || typeof type !== "string") return false;
  return typeof size === "number" && typeof url === "string" && url.includes(`/__files/${sha256}/`);
}
