/** Writes values in DER (X.690), the encoding of certificates: a tag, a length, the content. */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

export const der = {
  sequence: (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts),
  set: (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts),
  /** A whole number that is not negative. */
  integer: (bytes: Uint8Array): Buffer =>
    (bytes[0] ?? 0) < 0x80 ? tagged(0x02, bytes) : tagged(0x02, Buffer.from([0]), bytes),
  isTrue: tagged(0x01, Buffer.from([0xff])),
  /** `unused` is the number of bits at the end that mean nothing. */
  bits: (bytes: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), bytes),
  octets: (bytes: Uint8Array): Buffer => tagged(0x04, bytes),
  text: (text: string): Buffer => tagged(0x0c, Buffer.from(text)),
  /** The form depends on the year (RFC 5280, 4.1.2.5). */
  time: (ms: number): Buffer => {
    const digits = new Date(ms).toISOString().replace(/\D/g, "").slice(0, 14);
    return digits < "2050" ? tagged(0x17, Buffer.from(`${digits.slice(2)}Z`)) : tagged(0x18, Buffer.from(`${digits}Z`));
  },
  objectId: (dotted: string): Buffer => {
    const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
    return tagged(0x06, Buffer.from([first * 40 + second, ...others.flatMap(inSevens)]));
  },
  /** A value whose meaning the context gives: `isWhole` if it contains other values. */
  inContext: (number: number, content: Uint8Array, isWhole = false): Buffer =>
    tagged((isWhole ? 0xa0 : 0x80) + number, content),
};

/** Seven bits a byte; all but the last byte have the eighth set. */
function inSevens(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
