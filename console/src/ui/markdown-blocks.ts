/** The parts of Markdown that descriptions use. Nothing of it ever becomes HTML. */
export type Block =
  | { readonly kind: "paragraph" | "heading" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

export type Part =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;

export function parseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = withoutHtml(text).split(/\r?\n/);
  let index = 0;
  const take = (belongs: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (index < lines.length && belongs(lines[index]!)) taken.push(lines[index++]!);
    return taken;
  };
  while (index < lines.length) {
    const line = lines[index]!;
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (line.trim() === "" || /^\s*([-*_]\s*){3,}$/.test(line)) index++;
    else if (fence !== undefined) {
      index++;
      blocks.push({ kind: "code", text: take((one) => !one.trim().startsWith(fence)).join("\n") });
      index++;
    } else if (/^#{1,6}\s/.test(line)) {
      index++;
      blocks.push({ kind: "heading", text: line.replace(/^#+\s+|\s+#+\s*$/g, "") });
    } else if (ITEM.test(line)) blocks.push({ kind: "list", items: listItems(take(isInList)) });
    else if (isTable(lines, index)) {
      const rows = take((one) => one.includes("|")).map(cellsOf);
      blocks.push({ kind: "table", rows: rows.filter((cells) => !cells.every((cell) => /^:?-*:?$/.test(cell))) });
    } else blocks.push({ kind: "paragraph", text: take(isInParagraph).join(" ").trim() });
  }
  return blocks;
}

function isInList(line: string): boolean {
  return ITEM.test(line) || (line.trim() !== "" && /^\s+/.test(line));
}

/** A line that is indented belongs to the item above. */
function listItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, "").trim());
    else items.push(`${items.pop() ?? ""} ${line.trim()}`.trim());
  }
  return items;
}

function isInParagraph(line: string): boolean {
  return line.trim() !== "" && !ITEM.test(line) && !/^#{1,6}\s|^\s*(```|~~~)/.test(line);
}

function isTable(lines: readonly string[], index: number): boolean {
  return (lines[index]?.includes("|") ?? false) && /^[\s|:-]*-[\s|:-]*\|[\s|:-]*$/.test(lines[index + 1] ?? "");
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** Descriptions in the wild have some HTML for line breaks and emphasis: its text is what counts. */
function withoutHtml(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : plainText(part)))
    .join("");
}

function plainText(text: string): string {
  return text
    .replace(/<\/?(?:p|br|div|ul|ol|tr|h[1-6])\b[^>]{0,200}>/gi, "\n\n")
    .replace(/<li\b[^>]{0,200}>/gi, "\n- ")
    .replace(/<\/?(?:code|tt)\b[^>]{0,200}>/gi, "`")
    .replace(/<\/?[a-z][a-z0-9]*\b[^>]{0,500}>/gi, "")
    .replace(/&(lt|gt|amp|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " ", "#39": "'" };

const INLINE =
  /`+([^`]+)`+|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\(([^)\s]+)[^)]*\)|(https?:\/\/[^\s)<>"']+[^\s)<>"'.,;:])/g;

export function inlineParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, alsoStrong, emphasis, label, href, address] = match;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong ?? alsoStrong) parts.push({ kind: "strong", text: strong ?? alsoStrong ?? "" });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", text: emphasis });
    else if (address !== undefined) parts.push({ kind: "link", text: address, href: address });
    else if (href !== undefined) parts.push(linkOrText(label === undefined || label === "" ? href : label, href));
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** Only web addresses are links: others would lead into the console, or run something. */
function linkOrText(text: string, href: string): Part {
  return /^https?:\/\//i.test(href) ? { kind: "link", text, href } : { kind: "text", text };
}
