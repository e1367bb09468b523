import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

/** The words of a command. What a shell would not take as plain text must stand in quotes, so that it can be copied. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  const word = /\s*((?:'[^']*'|"[^"$`\\]*"|[\w./:=@%,+-]+)+)(?=\s|$)/y;
  const end = command.trimEnd().length;
  while (word.lastIndex < end) {
    const at = word.lastIndex;
    const match = word.exec(command);
    if (!match) throw new Error(`Not plain enough to copy into a shell, from ${command.slice(at)}`);
    words.push((match[1] as string).replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
  }
  return words;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** `-i`: the head of the answer is printed too. */
  readonly showsHead: boolean;
  /** `--cacert`: the only certificate that is trusted. */
  readonly trusted: string | undefined;
}

/** Reads the part of curl that the pages use: -s -i -X -H -d --data -F --data-binary --cacert and one address. Files lie in `folder`. */
export function parseCurl(args: readonly string[], folder: string): CurlRequest {
  const headers: Record<string, string> = { "User-Agent": "curl/8.0.0", Accept: "*/*" };
  let method: string | undefined;
  let address: string | undefined;
  let body: string | undefined;
  let showsHead = false;
  let trusted: string | undefined;
  const parts: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-s") continue;
    if (word === "-i") showsHead = true;
    else if (word === "-X") method = rest.shift();
    else if (word === "-d" || word === "--data") body = dataOf(rest.shift() ?? "", folder);
    else if (word === "--data-binary") body = readFileSync(resolve(folder, (rest.shift() ?? "").slice(1)), "utf8");
    else if (word === "-F") parts.push(partOf(rest.shift() ?? "", folder));
    else if (word === "--cacert") trusted = readFileSync(resolve(folder, rest.shift() ?? ""), "utf8");
    else if (word === "-H") {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(rest.shift() ?? "") ?? [];
      if (name === undefined || value === undefined) throw new Error("-H wants 'Name: value'.");
      headers[name] = value;
    } else if (word.startsWith("-") || address !== undefined) throw new Error(`The pages do not use curl ${word}.`);
    else address = word;
  }
  if (parts.length > 0) {
    headers["Content-Type"] = `multipart/form-data; boundary=${BOUNDARY}`;
    body = `${parts.join("")}--${BOUNDARY}--\r\n`;
  }
  if (address === undefined) throw new Error("There is no address.");
  // curl takes these as a pattern for several addresses.
  if (/[[\]{}]/.test(address)) throw new Error("Write [ ] { } as %5B %5D %7B %7D in an address.");
  if (body !== undefined && !("Content-Type" in headers)) headers["Content-Type"] = "application/x-www-form-urlencoded";
  const url = new URL(address);
  return { method: method ?? (body === undefined ? "GET" : "POST"), url, headers, body, showsHead, trusted };
}

const BOUNDARY = "------------------------standin";

/** `-F name=text` and `-F name=@file.txt`. */
function partOf(word: string, folder: string): string {
  const [, name, at, rest = ""] = /^(\w+)=(@?)(.*)$/.exec(word) ?? [];
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`;
  if (at !== "@") return `${head}\r\n\r\n${rest}\r\n`;
  const content = readFileSync(resolve(folder, rest), "utf8");
  return `${head}; filename="${rest}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
}

/** `-d @file`: the content of a file without its line ends, as curl sends it. */
function dataOf(word: string, folder: string): string {
  return word.startsWith("@") ? readFileSync(resolve(folder, word.slice(1)), "utf8").replace(/[\r\n]/g, "") : word;
}

/** The output of curl for a response: its head if requested, then its body. Header names as they were sent. */
export async function runCurl({ method, url, headers, body, showsHead, trusted }: CurlRequest): Promise<string> {
  const options = { method, headers: { ...headers, ...contentLength(body) }, agent: false as const };
  const sent = url.protocol === "https:" ? requestSecurely(url, { ...options, ca: trusted }) : request(url, options);
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const content = await text(answer);
  return showsHead ? `${headOf(answer)}\n\n${content}`.trimEnd() : content.replace(/\n$/, "");
}

function contentLength(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`.trimEnd());
  return lines.join("\n");
}
