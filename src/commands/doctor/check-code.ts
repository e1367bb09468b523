import { namePattern } from "../../query/operator-table.ts";
import type { Finding, Remark } from "./finding.ts";
import { importMention, type Mention } from "./mention.ts";
import type { SourceText } from "./project.ts";

const EXPORTS = new Set(["create", "router", "defaults", "rewriter", "bodyParser", "default"]);
const NAMED =
  /(?:(?:const|let|var)\s+|import\s+(?:\*\s*as\s+)?)(\w+)\s*(?:=\s*(?:await\s+)?|from\s+|:\s*\w+\s*=\s*)(?:require\(|import\()?\s*["']json-server["']/;
const TAKEN =
  /(?:(?:const|let|var)\s+|import\s+(?:\w+\s*,\s*)?)\{([^}]*)\}\s*(?:=\s*(?:await\s+)?|from\s+)(?:require\(|import\()?\s*["']json-server["']/;

type Usage = readonly [pattern: RegExp, level: Remark["level"], message: string, fix?: string];

const IMPORT = /(?:require\(|from\s+|import\s*\(?\s*)["']json-server["']/;
/** The files of json-server that the alias package has, too. */
const OWN_FILE =
  /["']json-server\/(?:package\.json|lib\/cli(?:\/(?:run|bin|index))?|lib\/server(?:\/(?:index|router|mixins|body-parser|defaults|rewriter))?)(?:\.js)?["']/;

const SECOND_LOWDB: Usage = [
  /(?:require\(|from\s+)["']lowdb(?:\/[^"']*)?["']/,
  "change",
  "A second lowdb on the data file writes behind the server's back; its changes are not seen, or overwritten.",
  "Read and write through router.db, or req.app.db in a middleware.",
];

/** In a custom server, the file has every write that was responded to, as in 0.17; behind the command line, it lags. */
const SECOND_LOWDB_OF_SERVER: Usage = [
  SECOND_LOWDB[0],
  "works",
  "If this lowdb uses the data file, each side overwrites what the other has written, as in 0.17.",
];

/** Patterns of json-server's use in a line of code. The code is read, never run. */
const USAGES: readonly Usage[] = [
  [
    new RegExp(`(?:require(?:\\.resolve)?\\(|from\\s+|import\\s*\\(?\\s*)(?!${OWN_FILE.source})["']json-server/`),
    "change",
    "This reaches into json-server's own files, which standin does not have.",
    "Use what the module exports: create, router, defaults, rewriter and bodyParser.",
  ],
  [OWN_FILE, "works", "This file of json-server is there if standin has the name json-server."],
  [/["']json-server-auth["']/, "works", "json-server-auth is used as a module; it gets the app's db from standin."],
  [/["']json-server-reset["']/, "works", "json-server-reset finds the data in req.app.db."],
  [/\breq\.app\.db\b/, "works", "req.app.db is there for middlewares, as in 0.17."],
  [/\b\w*router\.db\b/i, "works", "router.db offers lowdb's chains over the data."],
  [/\._\.id\s*=[^=]|\b__id\b/, "works", "The id key that is set on db._ applies to all routes."],
  [
    /\b(?:createId|getById)\b\s*(?:[:(]|=[^=])/,
    "works",
    "createId and getById are used by the routes, whether they are lodash-id's or your own.",
  ],
  [
    /\bmixin\(.*\b(?:insert|upsert|updateById|replaceById|removeById)\b/,
    "change",
    "The routes of standin use your own __id, createId and getById, but none of these functions.",
    "Do it in a middleware before the router.",
  ],
  [/\b\w*router\.render\s*=/i, "works", "router.render wraps responses, with the data in res.locals.data."],
  [/["']trust proxy["']/, "works", "Location and Link follow Express's setting trust proxy."],
  [/\b_isFake\b/, "works", "_isFake responds to writes and keeps nothing."],
  [
    /\breadFile(?:Sync)?\([^)]*\.json/,
    "works",
    "A JSON file is read here. If it is the data file, it has every write that was responded to.",
  ],
  [
    /\bwriteFile(?:Sync)?\([^)]*\.json/,
    "works",
    "A JSON file is written here. If it is the data file, the server loads it by --watch or router.db.read() only, as in 0.17.",
  ],
];

/** Patterns of json-server 1.0 beta. */
const BETA_USAGES: readonly Usage[] = [
  [/\b_per_page\b/, "works", "_per_page returns the object of json-server 1.0."],
  [
    /[?&`"']_page=(?!.*_per_page)/,
    "change",
    "_page alone returns a list here, as in json-server 0.17, and not an object with the pages.",
    "Start with --dialect 1, or add _per_page=10.",
  ],
  [/\b_sort=-/, "works", "_sort with a minus sorts in descending order."],
  [/[?&`"']_where=/, "works", "_where takes the JSON of json-server 1.0."],
  [new RegExp(`[?&\`"'][\\w.]+:(?:${namePattern()})=`), "works", "Operators with a colon work as in json-server 1.0."],
];

/** Whether a text uses features of 1.0 beta only. */
export function asksBeta(text: string): boolean {
  return BETA_USAGES.some(([pattern]) => pattern.test(text));
}

/** Checks a file that mentions json-server, or is a middleware of its command line. */
export function checkCode(source: SourceText, isBeta: boolean): Finding[] {
  const { file, text } = source;
  const secondLowdb = IMPORT.test(text) ? SECOND_LOWDB_OF_SERVER : SECOND_LOWDB;
  const usages = [...USAGES, ...(isBeta ? BETA_USAGES : []), ...(lendsItsLowdb(text) ? [] : [secondLowdb])];
  const ofLines = text.split("\n").flatMap((content, at) => {
    if (/^\s*(?:\/\/|\*|\/\*|#)/.test(content)) return [];
    return usages
      .filter(([pattern]) => pattern.test(content))
      .map(([, level, message, fix]) => ({ level, message, ...(fix && { fix }), file, line: at + 1 }));
  });
  return [...checkModuleUse(source), ...ofLines];
}

/** The imports of json-server in a file. */
export function importsIn({ file, text }: SourceText): Mention[] {
  return text
    .split("\n")
    .flatMap((content, at) =>
      IMPORT.test(content) || OWN_FILE.test(content) ? [importMention({ file, line: at + 1 }, content.trim())] : [],
    );
}

/** Checks which exports of json-server a file uses: all of 0.17 are there, others are not understood. */
function checkModuleUse({ file, text }: SourceText): Finding[] {
  const [name] = NAMED.exec(text)?.slice(1) ?? [];
  const taken = TAKEN.exec(text)?.[1]?.split(",") ?? [];
  if (name === undefined && taken.length === 0) return [];
  const used = [
    ...taken.map((one) => one.trim().replace(/[\s:].*/s, "")).filter((one) => one !== ""),
    ...(name === undefined
      ? []
      : [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, one = ""]) => one)),
  ];
  const unknown = used.find((one) => !EXPORTS.has(one) && !/^[A-Z]/.test(one));
  if (unknown === undefined) {
    const message = "The functions of json-server that it uses are there.";
    return [{ level: "works", file, line: undefined, message }];
  }
  const line = text.split("\n").findIndex((content) => new RegExp(`\\b${unknown}\\b`).test(content)) + 1;
  const message = `json-server 0.17 has no export "${unknown}", so this use of it was not understood.`;
  return [{ level: "check", file, line, message }];
}

/** Whether a file passes its lowdb to the router, which then serves that one. */
function lendsItsLowdb(text: string): boolean {
  const names = [...text.matchAll(/\b(\w+)\s*=\s*(?:await\s+)?low(?:db)?\(/g)].map(([, name]) => name);
  return names.some((name) => new RegExp(`\\brouter\\(\\s*${name}\\b`).test(text));
}
