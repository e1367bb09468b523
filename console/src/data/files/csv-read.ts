/** A cell of a CSV file. Quotes tell an empty text from a value that is left out. */
export interface CsvCell {
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface CsvRow {
  /** The line in the file on which it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly CsvCell[];
}

export interface LineProblem {
  readonly line: number;
  /** A sentence. */
  readonly message: string;
}

export interface CsvFile {
  readonly rows: readonly CsvRow[];
  readonly problems: readonly LineProblem[];
}

const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Reads CSV as RFC 4180 has it, with any line ends, and with commas, semicolons, tabs or bars between cells, whichever the
 * first line has most of. Blank lines are skipped.
 */
export function readCsv(text: string): CsvFile {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const reader = new CsvReader(source, delimiterOf(source));
  while (reader.readRow());
  return { rows: reader.rows, problems: reader.problems };
}

/** Reads a block of cells as spreadsheets copy it: with tabs between them, and every row counted. */
export function readBlock(text: string): (readonly CsvCell[])[] {
  const reader = new CsvReader(text, "\t", true);
  while (reader.readRow());
  return reader.rows.map(({ cells }) => cells);
}

class CsvReader {
  readonly rows: CsvRow[] = [];
  readonly problems: LineProblem[] = [];
  readonly #text: string;
  readonly #delimiter: string;
  readonly #plainEnd: RegExp;
  readonly #keepsBlank: boolean;
  #at = 0;
  #line = 1;

  constructor(text: string, delimiter: string, keepsBlank = false) {
    this.#text = text;
    this.#keepsBlank = keepsBlank;
    this.#delimiter = delimiter;
    this.#plainEnd = new RegExp(`[\\r\\n${delimiter === "\t" ? "\\t" : `\\${delimiter}`}]`, "g");
  }

  /** False at the end of the text. */
  readRow(): boolean {
    if (this.#at >= this.#text.length) return false;
    const line = this.#line;
    const cells: CsvCell[] = [];
    do cells.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain());
    while (this.#take(this.#delimiter));
    this.#endLine();
    const isBlank = cells.length === 1 && cells[0]?.text === "" && !cells[0].isQuoted;
    if (!isBlank || this.#keepsBlank) this.rows.push({ line, cells });
    return true;
  }

  #plain(): CsvCell {
    this.#plainEnd.lastIndex = this.#at;
    const end = this.#plainEnd.exec(this.#text)?.index ?? this.#text.length;
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return { text, isQuoted: false };
  }

  #quoted(): CsvCell {
    const line = this.#line;
    const pieces: string[] = [];
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      const piece = this.#text.slice(this.#at + 1, end === -1 ? undefined : end);
      pieces.push(piece);
      this.#line += piece.split(/\r\n|\r|\n/).length - 1;
      if (end === -1) {
        this.problems.push({ line, message: "A quoted cell begins here and never ends." });
        this.#at = this.#text.length;
        break;
      }
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') break;
      pieces.push('"');
    }
    const rest = this.#plain().text;
    if (rest.trim() !== "") {
      this.problems.push({ line: this.#line, message: `After a closing quote there is ${JSON.stringify(cut(rest))}.` });
    }
    return { text: pieces.join(""), isQuoted: true };
  }

  #endLine(): void {
    if (this.#at >= this.#text.length) return;
    if (!this.#take("\r\n") && !this.#take("\n")) this.#take("\r");
    this.#line++;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

/** Of the characters that may part cells, the one that the first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ""] = text
    .slice(0, 100_000)
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

function cut(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}
