import type { Finding, Level, Mention } from "./finding.ts";
import type { SourceText } from "./project.ts";

interface Usage {
  readonly pattern: RegExp;
  readonly level: Level;
  readonly message: string;
  readonly fix?: string;
}

const IMPORT = /(?:require\(|from\s+|import\s*\(?\s*)["']json-server["']/;

/** Patterns of json-server's use in a line of code. The code is read, never run. */
const USAGES: readonly Usage[] = [
  {
    pattern:
      /(?:require(?:\.resolve)?\(|from\s+|import\s*\(?\s*)["']json-server\/(?!(?:package\.json|lib\/cli(?:\/(?:run|bin|index))?|lib\/server(?:\/(?:index|router|mixins|body-parser|defaults|rewriter))?)(?:\.js)?["'])[^"']+["']/,
    level: "change",
    message: "This reaches into json-server's own files, which standin does not have.",
    fix: "Use what the module exports: create, router, defaults, rewriter and bodyParser.",
  },
  {
    pattern: /["']json-server-auth["']/,
    level: "works",
    message: "json-server-auth is used as a module; it gets the app's db from standin.",
  },
  { pattern: /["']json-server-reset["']/, level: "works", message: "json-server-reset finds the data in req.app.db." },
  { pattern: /\breq\.app\.db\b/, level: "works", message: "req.app.db is there for middlewares, as in 0.17." },
  { pattern: /\brouter\.db\b/, level: "works", message: "router.db offers lowdb's chains over the data." },
  {
    pattern: /\brouter\.render\s*=/,
    level: "works",
    message: "router.render wraps responses, with the data in res.locals.data.",
  },
  {
    pattern: /\b_isFake\b/,
    level: "works",
    message: "_isFake responds to writes and keeps nothing.",
  },
  {
    pattern: /(?:require\(|from\s+)["']lowdb(?:\/[^"']*)?["']/,
    level: "change",
    message:
      "A second lowdb on the data file writes behind the server's back; its changes are not seen, or overwritten.",
    fix: "Read and write through router.db, or req.app.db in a middleware.",
  },
  {
    pattern: /\bwriteFile(?:Sync)?\([^)]*\.json/,
    level: "differs",
    message: "A JSON file is written here. If it is the data file, the server sees that with --watch only.",
    fix: "Write through router.db, or start with --watch.",
  },
];

/** Patterns of json-server 1.0 beta. */
const BETA_USAGES: readonly Usage[] = [
  { pattern: /\b_per_page\b/, level: "works", message: "_per_page returns the object of json-server 1.0." },
  {
    pattern: /[?&`"']_page=(?!.*_per_page)/,
    level: "change",
    message: "_page alone returns a list here, as in json-server 0.17, and not an object with the pages.",
    fix: "Add _per_page=10.",
  },
  { pattern: /\b_sort=-/, level: "works", message: "_sort with a minus sorts in descending order." },
  { pattern: /[?&`"']_where=/, level: "works", message: "_where takes the JSON of json-server 1.0." },
  {
    pattern: /[?&`"'][\w.]+:(?:lt|lte|gt|gte|ne|in|contains|startsWith|endsWith)=/,
    level: "works",
    message: "Operators with a colon work as in json-server 1.0.",
  },
];

/** Whether a text uses features of 1.0 beta only. */
export function asksBeta(text: string): boolean {
  return BETA_USAGES.some(({ pattern }) => pattern.test(text));
}

/** Checks a file that mentions json-server, or is a middleware of its command line. */
export function checkCode({ file, text }: SourceText, isBeta: boolean): Finding[] {
  const usages = isBeta ? [...USAGES, ...BETA_USAGES] : USAGES;
  return text.split("\n").flatMap((content, at) => {
    if (/^\s*(?:\/\/|\*|\/\*|#)/.test(content)) return [];
    return usages
      .filter(({ pattern }) => pattern.test(content))
      .map(({ pattern: _, ...usage }) => ({ ...usage, file, line: at + 1 }));
  });
}

/** The imports of json-server in a file. */
export function importsIn({ file, text }: SourceText): Mention[] {
  return text
    .split("\n")
    .flatMap((content, at) => (IMPORT.test(content) ? [{ file, line: at + 1, text: content.trim() }] : []));
}
