import { randomUUID } from "node:crypto";
import { type AccessEntry, type Reporter, terminalSafe } from "../base/reporter.ts";
import { maskText } from "../base/secrets/mask-text.ts";

/** The codes that begin and end a style. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
type Style = keyof typeof STYLES;

/** The terminal a command prints to: in colour on a terminal, plain in a file or a pipe. */
export interface Terminal {
  print(text?: string): void;
  error(text: string): void;
  style(style: Style, text: string): string;
  /** The width of a line; infinite if the output is not a terminal. */
  readonly columns: number;
  /** Shows progress on one line that is rewritten; prints nothing if the output is not a terminal. */
  progress(label: string, total: number): Progress;
  /** Shows a line while work goes on; the returned function removes it. Prints nothing outside of a terminal. */
  waiting(text: string): () => void;
  /** Whether a person sits in front of it who can be asked. */
  readonly canAsk: boolean;
  /** Asks a question; enter alone means yes. */
  confirm(question: string): Promise<boolean>;
  /** Asks one question after the other. Undefined if the person leaves. */
  ask(questions: readonly Question[]): Promise<string[] | undefined>;
}

interface Question {
  readonly question: string;
  /** The reply that enter alone stands for. */
  readonly otherwise: string;
}

export interface Progress {
  update(done: number): void;
  end(): void;
}

const BAR_WIDTH = 24;
const SHORTEST_ADDRESS = 12;
const CLEAR_LINE = "\r\u001b[2K";

export interface TerminalOptions {
  readonly out?: NodeJS.WriteStream;
  readonly err?: NodeJS.WriteStream;
  readonly input?: NodeJS.ReadStream;
  readonly env?: NodeJS.ProcessEnv;
  readonly argv?: readonly string[];
}

export function createTerminal({
  out = process.stdout,
  err = process.stderr,
  input = process.stdin,
  env = process.env,
  argv = process.argv,
}: TerminalOptions = {}): Terminal {
  const hasColour = isColourWanted(out, env, argv);
  for (const stream of [out, err]) outliveReader(stream);
  // Stands for the escape character in styles until they are printed. No text can know it, so no text has a style of its own.
  const mark = randomUUID();
  const shown = (text: string): string => {
    const safe = terminalSafe(text);
    return hasColour ? safe.replaceAll(mark, "\u001b") : safe;
  };
  return {
    print: (text = "") => void out.write(`${shown(text)}\n`),
    error: (text) => void err.write(`${shown(text)}\n`),
    style(style, text) {
      const [begin, end] = STYLES[style];
      return hasColour ? `${mark}[${begin}m${text}${mark}[${end}m` : text;
    },
    // It changes with the window.
    get columns() {
      return out.isTTY ? out.columns : Number.POSITIVE_INFINITY;
    },
    progress(label, total) {
      if (!out.isTTY || total === 0) return { update() {}, end() {} };
      return {
        update(done) {
          const share = Math.min(1, done / total);
          const bar = "█".repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, "░");
          out.write(`\r  ${terminalSafe(label)} ${bar} ${Math.floor(share * 100)} %`);
        },
        end: () => void out.write(CLEAR_LINE),
      };
    },
    waiting(text) {
      if (!out.isTTY) return () => {};
      out.write(`  ${terminalSafe(text)} ...`);
      return () => void out.write(CLEAR_LINE);
    },
    canAsk: input.isTTY === true && out.isTTY === true && !env.CI,
    async confirm(question) {
      const { createInterface } = await import("node:readline");
      const asked = createInterface({ input, output: out });
      try {
        return await new Promise<boolean>((resolve) => {
          asked.question(`  ${terminalSafe(question)} (Y/n) `, (reply) => resolve(/^(y|yes)?$/i.test(reply.trim())));
          // Ctrl+C and Ctrl+D decline.
          for (const event of ["SIGINT", "close"]) asked.on(event, () => resolve(false));
        });
      } finally {
        asked.close();
      }
    },
    async ask(questions) {
      const { createInterface } = await import("node:readline");
      const asked = createInterface({ input, output: out });
      try {
        return await new Promise<string[] | undefined>((resolve) => {
          const replies: string[] = [];
          const askNext = (): void => {
            const next = questions[replies.length];
            if (!next) {
              resolve(replies);
              return;
            }
            asked.question(`  ${terminalSafe(next.question)} (${terminalSafe(next.otherwise)}): `, (reply) => {
              replies.push(reply.trim() || next.otherwise);
              askNext();
            });
          };
          for (const event of ["SIGINT", "close"]) asked.on(event, () => resolve(undefined));
          askNext();
        });
      } finally {
        asked.close();
      }
    },
  };
}

/** Streams whose errors are taken care of. */
const outlived = new WeakSet<NodeJS.WriteStream>();

/** The reader of a pipe may stop early, as `head` does: what is printed after that is lost, and nothing else happens. */
function outliveReader(stream: NodeJS.WriteStream): void {
  if (outlived.has(stream)) return;
  outlived.add(stream);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A server outlives every error of its output, and listens for itself.
    if (error.code !== "EPIPE" && stream.listenerCount("error") === 1) throw error;
  });
}

/** Flags first, then https://no-color.org and its counterpart FORCE_COLOR; otherwise colour only on a terminal. */
function isColourWanted(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv, argv: readonly string[]): boolean {
  const flag = argv.findLast((word) => /^--(no-)?color(=|$)/.test(word));
  if (flag !== undefined) return !/^--no-color$|=false$/.test(flag);
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return out.isTTY === true && env.TERM !== "dumb";
}

/** A reporter that prints; with `quiet`, only faults. */
export function createReporter(terminal: Terminal, quiet: boolean): Reporter {
  return {
    note: (text) => quiet || terminal.print(`  ${maskText(text)}`),
    done: (text) => quiet || terminal.print(`  ${terminal.style("green", "ok")} ${maskText(text)}`),
    warn: (text) => quiet || terminal.print(`  ${terminal.style("yellow", "warning")} ${maskText(text)}`),
    fault: (text, thrown) => {
      const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      terminal.error(`  ${terminal.style("red", "error")} ${maskText(text)}\n${maskText(detail, true)}`);
    },
    request: quiet ? undefined : (entry) => terminal.print(requestLine(terminal, entry, new Date())),
  };
}

/**
 * `12:04:31 GET /products/1 200 7.530 ms - 83`: the time, then as 0.17 writes it, then sandbox and fault if any. Below it,
 * why the request was refused.
 */
export function requestLine(terminal: Pick<Terminal, "style" | "columns">, entry: AccessEntry, now: Date): string {
  const { method, url, status, durationMs, bytes, sandbox, hasFault = false, refusal } = entry;
  const colour = status >= 500 ? "red" : status >= 400 ? "yellow" : status >= 300 ? "cyan" : "green";
  const before = now.toTimeString().slice(0, 8);
  const after = ` ${durationMs.toFixed(3)} ms - ${bytes === 0 ? "-" : bytes}`;
  const marks = [sandbox === undefined ? "" : ` sandbox ${asciiOf(sandbox)}`, hasFault ? " fault" : ""].join("");
  const others = `${before} ${method}  000${after}${marks}`.length;
  const address = cutTo(asciiOf(url), terminal.columns - others);
  const code = terminal.style(colour, String(status));
  const reason = refusal === undefined ? "" : `\n${" ".repeat(before.length)} ${printable(maskText(refusal))}`;
  const line = `${terminal.style("dim", before)} ${method} ${address} ${code}${after}`;
  return `${line}${marks && terminal.style("yellow", marks)}${reason && terminal.style("dim", reason)}`;
}

/** Short enough for one line of the terminal, unless that is too narrow for any address. */
function cutTo(text: string, room: number): string {
  return text.length <= room || room < SHORTEST_ADDRESS ? text : `${text.slice(0, room - 3)}...`;
}

/** Lets only printable ASCII of a URL reach the terminal, which would take other bytes as commands. */
function asciiOf(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
}

/** Keeps a text on its line: replaces every control character, line feeds included. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "?");
}
