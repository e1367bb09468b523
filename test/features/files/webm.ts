/** A picture of a film, encoded by VP8. */
export interface Frame {
  readonly timeMs: number;
  readonly data: Buffer;
}

interface FilmSize {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** Bytes without a meaning in front of each frame, so that a short film is a large file. */
  readonly voidBytes: number;
}

/** A WebM film (RFC 9559) of key frames, each shown for a second and in a cluster of its own, with an index that players seek by. */
export function webm(frames: readonly Frame[], { width, height, durationMs, voidBytes }: FilmSize): Buffer {
  const head = element(
    "1a45dfa3",
    number("4286", 1),
    number("42f7", 1),
    text("4282", "webm"),
    number("4287", 4),
    number("4285", 2),
  );
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(durationMs);
  const info = element(
    "1549a966",
    number("2ad7b1", 1_000_000),
    element("4489", duration),
    text("4d80", "test"),
    text("5741", "test"),
  );
  const picture = element("e0", number("b0", width), number("ba", height));
  const track = element(
    "ae",
    number("d7", 1),
    number("73c5", 1),
    number("83", 1),
    number("23e383", 1_000_000_000),
    text("86", "V_VP8"),
    picture,
  );
  const clusters = frames.map(({ timeMs, data }) => {
    const block = element("a3", Buffer.from([0x81, 0, 0, 0x80]), data);
    return element("1f43b675", number("e7", timeMs), element("ec", Buffer.alloc(voidBytes)), block);
  });
  const before = [info, element("1654ae6b", track)];
  const cuesFor = (start: number): Buffer => {
    let at = start;
    const points = frames.map(({ timeMs }, index) => {
      const position = element("b7", number("f7", 1), number("f1", at));
      at += clusters[index]?.length ?? 0;
      return element("bb", number("b3", timeMs), position);
    });
    return element("1c53bb6b", ...points);
  };
  // Numbers have one length, so the index is as long wherever the clusters begin.
  const start = [...before, cuesFor(0)].reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([head, element("18538067", ...before, cuesFor(start), ...clusters)]);
}

function element(id: string, ...parts: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(parts.reduce((sum, { length }) => sum + length, 0)));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, "hex"), size, ...parts]);
}

function number(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

function text(id: string, value: string): Buffer {
  return element(id, Buffer.from(value));
}

/** Runs in the page: a frame for each second that shows its number in bits, as white and black columns. */
export async function encodeSeconds(seconds: number): Promise<string[]> {
  const encoded: string[] = [];
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      encoded.push(btoa(String.fromCharCode(...bytes)));
    },
    error(thrown) {
      throw thrown;
    },
  });
  encoder.configure({ codec: "vp8", width: 64, height: 64 });
  const canvas = new OffscreenCanvas(64, 64);
  const context = canvas.getContext("2d");
  for (let second = 0; second < seconds; second++) {
    for (let bit = 0; bit < 5; bit++) {
      if (context) context.fillStyle = second & (1 << bit) ? "white" : "black";
      context?.fillRect(12 * bit, 0, 12, 64);
    }
    const frame = new VideoFrame(canvas, { timestamp: second * 1_000_000 });
    encoder.encode(frame, { keyFrame: true });
    frame.close();
  }
  await encoder.flush();
  return encoded;
}
