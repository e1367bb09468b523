import { Motion, TIMES } from "./moving-picture-motion.ts";
import type { Scene } from "./moving-picture-scene.ts";
import { STYLE } from "./moving-picture-style.ts";

const COMMAND = "npx standin db.json";
const LINE = 17;
const CHARACTER = 7.05;
const HEAD = 30;
const PADDING = 16;
const LEFT = { x: 0.5, width: 548 };
const RIGHT = { x: 560.5, width: 339 };
const GAP = 12;
const WIDTH = 900;

/** Draws a scene as an SVG that moves by CSS alone. Where motion is not wanted, it shows the end of the round. */
export function drawScene(scene: Scene): string {
  const motion = new Motion();
  const server = serverTerminal(scene, motion);
  const query = queryTerminal(scene, motion);
  const height = server.height + GAP + query.height;
  const file = fileView(scene, motion);
  const table = consoleView(scene, height - GAP - file.height, motion);
  const parts = [
    panel({ kind: "terminal", title: "1 Start", ...LEFT, y: 0 }, server),
    panel({ kind: "terminal", title: "2 Query", ...LEFT, y: server.height + GAP }, query),
    panel({ kind: "page", title: "3 Edit in the console", ...RIGHT, y: 0 }, table),
    panel({ kind: "page", title: "4 Find it in db.json", ...RIGHT, y: table.height + GAP }, file),
    pointer(scene, motion),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height + 1}" role="img">`,
    "<title>Start standin, query it, edit a record in the console, and find the change in the file</title>",
    `<style>${STYLE}${motion.style()}</style>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

interface View {
  readonly height: number;
  readonly content: readonly string[];
}

function serverTerminal({ banner, requests }: Scene, motion: Motion): View {
  const shown = banner.map((text, index) => ({ text, kind: motion.appears(TIMES.banner + index * 0.09) }));
  const times = [TIMES.response, TIMES.saved];
  const log = requests.map((text, index) => ({ text, kind: motion.appears(times[index]!) }));
  const command = { text: COMMAND, kind: motion.isTyped(TIMES.command), isCommand: true };
  return terminal([command, EMPTY, ...shown, EMPTY, ...log]);
}

function queryTerminal({ query, response }: Scene, motion: Motion): View {
  const records = response.replace("},{", "},\n {").split("\n");
  const shown = records.map((text) => ({ text, kind: motion.appears(TIMES.response) }));
  return terminal([{ text: query, kind: motion.isTyped(TIMES.query), isCommand: true }, ...shown]);
}

interface Line {
  readonly text: string;
  /** The class that makes it move. */
  readonly kind: string;
  readonly isCommand?: boolean;
}

const EMPTY: Line = { text: "", kind: "" };

function terminal(lines: readonly Line[]): View {
  const content = lines.map((line, index) => terminalLine(line, HEAD + PADDING + 6 + index * LINE));
  return { height: HEAD + PADDING + lines.length * LINE + 8, content: content.filter((line) => line !== "") };
}

function terminalLine({ text, kind, isCommand }: Line, y: number): string {
  if (text === "") return "";
  // Fonts differ in width; the lines must not.
  const place = (x: number): string => `x="${round(x)}" y="${y}" textLength="${round(text.length * CHARACTER)}"`;
  if (!isCommand) return `<text class="${kind}" ${place(PADDING)}>${coloured(text)}</text>`;
  const prompt = `<text class="dim" x="${PADDING}" y="${y}">$</text>`;
  return `${prompt}<text class="${kind}" ${place(PADDING + 2 * CHARACTER)}>${escaped(text)}</text>`;
}

const COLUMNS = { id: 40, name: 58, price: RIGHT.width - PADDING };
const ROW = 26;

function consoleView({ rows, edited }: Scene, height: number, motion: Motion): View {
  const heads = [
    `<text class="dim" x="${COLUMNS.id}" y="${HEAD + 20}" text-anchor="end">id</text>`,
    `<text class="dim" x="${COLUMNS.name}" y="${HEAD + 20}">name</text>`,
    `<text class="dim" x="${COLUMNS.price}" y="${HEAD + 20}" text-anchor="end">price</text>`,
  ];
  const fitting = Math.floor((height - HEAD - 30) / ROW);
  const content = rows.slice(0, fitting).map((row, index) => {
    const y = rowTop(index);
    const price = row.id === edited.id ? editedPrice([row.price, edited.price], y, motion) : priceText(row.price, y);
    return [
      `<path class="line" d="M1 ${y}H${RIGHT.width - 1}"/>`,
      row.id === edited.id ? savedBand(y, motion) : "",
      `<text class="key" x="${COLUMNS.id}" y="${y + 17}" text-anchor="end">${row.id}</text>`,
      `<text x="${COLUMNS.name}" y="${y + 17}">${escaped(row.name)}</text>`,
      price,
    ].join("");
  });
  return { height, content: [...heads, ...content] };
}

function rowTop(index: number): number {
  return HEAD + 30 + index * ROW;
}

function priceText(price: number, y: number, kind = ""): string {
  return `<text${kind && ` class="${kind}"`} x="${COLUMNS.price}" y="${y + 17}" text-anchor="end">${price}</text>`;
}

function editedPrice([before, after]: readonly [number, number], y: number, motion: Motion): string {
  const frame = `x="${COLUMNS.price - 66}" y="${y + 2.5}" width="73" height="21" rx="4"`;
  return [
    `<rect class="focus ${motion.isThere(TIMES.focus, TIMES.saved)}" ${frame}/>`,
    priceText(before, y, motion.disappears(TIMES.typed)),
    priceText(after, y, `new ${motion.appears(TIMES.typed)}`),
  ].join("");
}

function savedBand(y: number, motion: Motion): string {
  const kind = motion.appears(TIMES.saved);
  return `<rect class="added ${kind}" x="1" y="${y + 0.5}" width="${RIGHT.width - 2}" height="${ROW - 0.5}"/>`;
}

function fileView({ difference }: Scene, motion: Motion): View {
  const inserted = difference.findIndex((line) => line.startsWith("+"));
  const kind = motion.appears(TIMES.file);
  const content = difference.map((line, index) => {
    const y = HEAD + PADDING + 6 + index * LINE;
    const sign = line[0]!;
    const isNew = sign === "+";
    const place = `x="${PADDING + 14}" y="${y}"`;
    const text = `<text class="code${isNew ? ` ${kind}` : ""}" ${place}>${escaped(line.slice(2))}</text>`;
    if (sign !== " ") return `${changeMark(sign, y, kind)}${text}`;
    return index < inserted ? text : `<g class="${motion.movesDown(TIMES.file, LINE)}">${text}</g>`;
  });
  return { height: HEAD + PADDING + difference.length * LINE + 8, content };
}

function changeMark(sign: string, y: number, kind: string): string {
  const colour = sign === "+" ? "added" : "removed";
  const band = `<rect class="${colour} ${kind}" x="1" y="${y - 13}" width="${RIGHT.width - 2}" height="${LINE}"/>`;
  return `${band}<text class="code ${kind}" x="${PADDING}" y="${y}">${sign}</text>`;
}

function pointer({ rows, edited }: Scene, motion: Motion): string {
  const index = rows.findIndex(({ id }) => id === edited.id);
  const to = { x: RIGHT.x + COLUMNS.price - 22, y: rowTop(index) + 14 };
  const kind = motion.visits(TIMES.pointer, TIMES.focus, TIMES.saved);
  const shape = "M0 0v15l4-3.6 2.6 5.6 2.4-1.1-2.6-5.5 5.4-.4z";
  return `<g transform="translate(${to.x} ${to.y})"><path class="pointer ${kind}" d="${shape}"/></g>`;
}

interface Frame {
  readonly kind: "terminal" | "page";
  /** Begins with the number of the step. */
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function panel({ kind, title, x, y, width }: Frame, { height, content }: View): string {
  const [number, ...words] = title.split(" ");
  const badge = `<circle class="badge" cx="19" cy="15" r="8.5"/><text class="number" x="19" y="19">${number}</text>`;
  return [
    `<g class="${kind}" transform="translate(${x} ${y + 0.5})">`,
    `<rect class="frame" width="${width}" height="${height}" rx="8"/><path class="line" d="M0 ${HEAD}H${width}"/>`,
    `${badge}<text class="title" x="36" y="19.5">${words.join(" ")}</text>`,
    ...content,
    "</g>",
  ].join("\n");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function coloured(text: string): string {
  return escaped(text)
    .replace(/https?:\S+/, '<tspan class="url">$&</tspan>')
    .replace(/^ {2}(?:Database|Console|API docs|Saved to)/, '<tspan class="dim">$&</tspan>')
    .replace(/^ {2}standin(?= )/, '<tspan class="bold">$&</tspan>')
    .replace(/ 200$/, '<tspan class="good">$&</tspan>');
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
