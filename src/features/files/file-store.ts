/** The content of files, by their hash: the same content is stored once. Nothing in it needs Node. */
export interface FileStore {
  /** Whether acknowledged files outlive this process. */
  readonly isKept: boolean;
  /** Stores content while it arrives. Rejects, and keeps nothing, where it is too large or ends early. */
  write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile>;
  /** The content, or a part of it; undefined where there is none of this hash. */
  open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** The size in bytes; undefined where there is none of this hash. */
  sizeOf(sha256: string): Promise<number | undefined>;
  list(): Promise<readonly KeptFile[]>;
  /** Sets a file aside, where an upload of the same content finds it again; resolves to whether it did. */
  remove(sha256: string): Promise<boolean>;
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
  /** When it was last uploaded, in milliseconds of real time. */
  readonly writtenAt: number;
}

export const HEAD_BYTES = 512;
