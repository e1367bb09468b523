import type { Entry } from "../entry.ts";
import { sentAgain } from "../sent-again.ts";

/** Requests as an `.http` file, which Visual Studio, VS Code (REST Client) and the JetBrains editors can send. */
export function asHttp(entries: readonly Entry[], origin: string): string {
  return [`@host = ${origin}`, ...entries.map(requestText)].join("\n\n");
}

function requestText(entry: Entry): string {
  const { headers, maskedHeaders, body, lack } = sentAgain(entry);
  const isSeparator = body !== undefined && /^###/m.test(body);
  const remarks = [
    ...maskedHeaders.map((name) => `${name} is masked: fill it in`),
    ...(lack === undefined ? [] : [lack]),
    ...(isSeparator ? ["The body is left out: a line of it would begin another request."] : []),
  ];
  const lines = [
    `### ${entry.method} ${entry.url}, ${entry.time}, ${entry.status === 0 ? "no response" : entry.status}`,
    ...remarks.map((remark) => `# ${remark}`),
    `${entry.method} {{host}}${entry.url}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== undefined && body !== "" && !isSeparator) lines.push("", body);
  return `${lines.join("\n")}\n`;
}
