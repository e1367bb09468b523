/** Tells what a text is by its form. */

const COLOUR = /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/deg+-]{3,48}\))$/i;
const IMAGE_FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i;
const IMAGE_DATA = /^data:image\/[\w.+-]+[;,]/i;
const IMAGE_NAME = /image|avatar|photo|picture|thumb|logo|icon|cover|poster|portrait|banner/i;
/** Longer texts are no addresses that anyone wants to see as a picture. */
const LONGEST_ADDRESS = 2_000;
const LONGEST_DATA = 100_000;

export function isColour(text: string): boolean {
  return text.length <= 64 && COLOUR.test(text);
}

/** Whether a text in a field of this name is the address of a picture. */
export function isImage(text: string, field: string): boolean {
  if (text.length <= LONGEST_DATA && IMAGE_DATA.test(text)) return true;
  if (text.length > LONGEST_ADDRESS || !/^(?:https?:\/\/|\/[^/])\S+$/i.test(text)) return false;
  const [path = ""] = text.split(/[?#]/, 1);
  return IMAGE_FILE.test(path) || (IMAGE_NAME.test(field) && /^https?:/i.test(text));
}

/** The colours of badges in table.css. */
const TONES = 6;

/** The colour of a badge, the same for equal texts. */
export function toneOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return Math.abs(hash) % TONES;
}

/** Colours for the texts of a column: different ones as long as there are any left. */
export function tonesOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const tones = new Map<string, number>();
  for (const text of texts) {
    const wanted = toneOf(text);
    const near = Array.from({ length: TONES }, (_, step) => (wanted + step) % TONES);
    const taken = new Set(tones.values());
    tones.set(text, near.find((tone) => !taken.has(tone)) ?? wanted);
  }
  return tones;
}
