import type { Finding } from "./finding.ts";
import type { SourceText } from "./project.ts";

const IMPORT = /(?:require\(|from\s+|import\s*\(?\s*)["']json-server(?:\/([^"']*))?["']/g;
/** A test that expects the 404 of 0.17 for a write to a collection, within a few lines. */
const EXPECTS_404 = /\.(?:put|patch|delete)\(\s*[`'"][^`'"]*\/[a-z_-]+[`'"][\s\S]{0,120}?\b404\b/i;
const PAGE_OF_BETA = /[?&`"']_page=(?!.*_per_page)/;

/** Checks code of a project that uses json-server. */
export function checkCode({ file, text }: SourceText, isBeta: boolean): Finding[] {
  const findings: Finding[] = [];
  for (const { index, 1: path } of text.matchAll(IMPORT)) {
    const place = { file, line: lineAt(text, index) };
    if (path === undefined) {
      findings.push({ ...place, level: "works", message: "The module API of json-server 0.17 is there." });
    } else {
      const message = `standin has few of json-server's own files, and those under the name json-server: try ${path}.`;
      const fix = "Use the exports of the module: create, router, defaults, rewriter and bodyParser.";
      findings.push({ ...place, level: "check", message, fix });
    }
  }
  const isTest = /(?:^|[./_-])(?:tests?|specs?|cy|e2e)(?:[./_-]|$)|__tests__/.test(file);
  const found = isTest ? EXPECTS_404.exec(text) : null;
  if (found) {
    const message = "PUT, PATCH or DELETE on a whole collection gets 400 or 405, not 404.";
    findings.push({ file, line: lineAt(text, found.index), level: "differs", message });
  }
  const page = isBeta ? PAGE_OF_BETA.exec(text) : null;
  if (page) {
    findings.push({
      file,
      line: lineAt(text, page.index),
      level: "change",
      message: "_page alone returns a list here, as in json-server 0.17, and not an object with the pages.",
      fix: "Start with --dialect 1, or add _per_page=10.",
    });
  }
  return findings;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
