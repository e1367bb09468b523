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

/** The colours of badges, as record-table.css has them. */
const TONE = { grey: 0, blue: 1, green: 2, amber: 3, purple: 4, teal: 5, red: 6 } as const;
/** Colours that say neither good nor bad. */
const NEUTRAL: readonly number[] = [TONE.blue, TONE.purple, TONE.teal, TONE.grey];

/** Words whose meaning has a colour. */
const MEANINGS: readonly (readonly [tone: number, words: RegExp])[] = [
  [
    TONE.red,
    /^(error|fail(ed|ure)?|fatal|critical|cancel(l?ed)?|lost|reject(ed)?|declined|denied|refused|blocked|banned|broken|expired|overdue|unpaid|returned|refunded|damaged|down)$/i,
  ],
  [
    TONE.amber,
    /^(warn(ing)?|pending|waiting|queued|processing|in[ _-]?review|on[ _-]?hold|paused|partial|delayed|unconfirmed|trial|low[ _-]?stock)$/i,
  ],
  [
    TONE.green,
    /^(ok|okay|active|paid|delivered|success(ful)?|succeeded|completed?|done|approved|enabled|online|available|published|confirmed|passed|healthy|up|in[ _-]?stock|verified|accepted)$/i,
  ],
  [TONE.grey, /^(draft|archived|inactive|disabled|closed|offline|unknown|none|debug|trace|hidden|discontinued)$/i],
  [TONE.blue, /^(info|new|open|todo|to[ _-]do|started|running|in[ _-]progress|shipped|sent)$/i],
];

/** The colour of a badge by what it says; the same for equal texts where that is unknown. */
export function toneOf(text: string): number {
  const meant = MEANINGS.find(([, words]) => words.test(text))?.[0];
  if (meant !== undefined) return meant;
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return NEUTRAL[Math.abs(hash) % NEUTRAL.length] ?? TONE.grey;
}

/** Colours for the texts of a column: different ones as long as there are any left, and the meaning allows it. */
export function tonesOf(texts: Iterable<string>): ReadonlyMap<string, number> {
  const tones = new Map<string, number>();
  for (const text of texts) {
    const wanted = toneOf(text);
    const taken = new Set(tones.values());
    const isMeant = MEANINGS.some(([, words]) => words.test(text));
    const free = NEUTRAL.find((tone) => !taken.has(tone));
    tones.set(text, isMeant || !taken.has(wanted) ? wanted : (free ?? wanted));
  }
  return tones;
}

const LINK = /^https?:\/\/[^\s/]+\S*$/i;
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[a-z]{2,}$/i;

/** Where a text leads: a page or a mailbox; undefined if it is neither. */
export function linkOf(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  if (LINK.test(text)) return text;
  return EMAIL.test(text) ? `mailto:${text}` : undefined;
}
