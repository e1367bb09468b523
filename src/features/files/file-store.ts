/** The content of files, by their hash: the same content is stored once. Nothing in it needs Node. */
export interface FileStore {
  /** Stores content while it arrives. Rejects, and keeps nothing, where it is too large or ends early. */
  write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile>;
  /** The content, or a part of it; undefined where there is none of this hash. */
  open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Size and age; undefined where there is none of this hash. */
  find(sha256: string): Promise<KeptFile | undefined>;
  /** Makes a file as young as one that was just uploaded, so that nothing removes it for a day. Brings it back if need be. */
  renew(sha256: string): Promise<void>;
  list(): Promise<readonly KeptFile[]>;
  /** Sets a file aside unless it was renewed after `before`; resolves to whether it did. */
  remove(sha256: string, before: number): Promise<boolean>;
  /** The files that were set aside. */
  aside(): Promise<readonly string[]>;
  /** Brings back a file that was set aside; resolves to whether there was one. */
  recall(sha256: string): Promise<boolean>;
  /** Ends files that were set aside before a time; resolves to how many. */
  forget(before: number): Promise<number>;
  close(): Promise<void>;
}

export interface FileLimits {
  /** Of this file. */
  readonly maxBytes: number;
  /** Of all files together. */
  readonly maxTotalBytes: number;
}

/** Both ends are part of it, as in HTTP. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface WrittenFile {
  readonly sha256: string;
  readonly size: number;
  /** The first bytes, at most `HEAD_BYTES`, which tell the type. */
  readonly head: Uint8Array;
}

export interface KeptFile {
  readonly sha256: string;
  readonly size: number;
  /** When it was last uploaded or named by a write, in milliseconds of real time. */
  readonly usedAt: number;
}

export const HEAD_BYTES = 512;
