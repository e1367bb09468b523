import type { IncomingHttpHeaders } from "node:http";
import type { Eventually } from "../../base/eventually.ts";
import type { Json } from "../../base/json/json.ts";
import type { Buffer } from "../../base/platform/buffer.ts";

/** The body that was sent, as text, for the traffic log. */
export interface SentBody {
  readonly text: string;
  readonly bytes: number;
}

/** The part of a call that knows where its body comes from. */
export interface BodySource {
  readonly headers: IncomingHttpHeaders;
  sentBody: SentBody | undefined;
  /**
   * The body where a host or an interceptor has read it: a value that is taken as it stands, or the bytes or text that
   * were sent. Undefined where it must be read.
   */
  givenBody(): unknown;
  /** The bytes as the client sent them, perhaps compressed, where they are kept for several readers. */
  keptBytes: Buffer | undefined;
  /** Whether the request says that it has a body. */
  readonly hasBody: boolean;
  /** Whether there is nothing left to read. */
  readonly isBodyRead: boolean;
  readBytes(maxBytes: number): Promise<Buffer>;
  /** Reads a body of a type that is unknown here, such as a form with files; undefined where no feature can. */
  readOther(): Promise<Json | undefined> | undefined;
  /** Judges the files that a body names, and returns the body as it is to be stored. */
  admitFiles(body: Json): Eventually<Json>;
}

/** The parts of features that take part in reading bodies. */
export interface BodyHooks {
  readonly read: (source: BodySource) => ReturnType<BodySource["readOther"]>;
  readonly admit: (source: BodySource, body: Json) => ReturnType<BodySource["admitFiles"]>;
}
