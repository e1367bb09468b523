import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fill, type SentRequest } from "./sent-request.ts";

type Blocks = ReadonlyMap<string, readonly string[]>;

/** Reads a Bruno collection with its environment `local`. */
export function readBrunoFolder(folder: string, given: Readonly<Record<string, string>>): SentRequest[] {
  const environment = readBlocks(readFileSync(join(folder, "environments/local.bru"), "utf8"));
  const secrets = (environment.get("vars:secret") ?? []).map((name): [string, string] => [name.replace(",", ""), ""]);
  const variables = new Map([...pairsOf(environment.get("vars")), ...secrets, ...Object.entries(given)]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".bru") && !/^(environments|folder\.bru|collection\.bru)/.test(file))
    .filter((file) => basename(file) !== "folder.bru");
  const requests = files.map((file) => readRequest(readBlocks(readFileSync(join(folder, file), "utf8")), variables));
  // The groups of one folder are sent in their order.
  return requests.sort((one, other) => one.position - other.position);
}

function readRequest(blocks: Blocks, variables: ReadonlyMap<string, string>): SentRequest & { position: number } {
  const meta = new Map(pairsOf(blocks.get("meta")));
  const method = ["get", "post", "put", "patch", "delete", "head", "http"].find((name) => blocks.has(name))!;
  const request = new Map(pairsOf(blocks.get(method)));
  const url = request.get("url")!;
  const query = pairsOf(blocks.get("params:query")).map(([name, value]) => `${name}=${value}`);
  const [, search = ""] = url.split("?");
  if (search !== query.join("&")) throw new Error(`${url} differs from its parameters ${query.join("&")}.`);
  if (new Map(pairsOf(blocks.get("settings"))).get("encodeUrl") !== "false")
    throw new Error(`${url} would be encoded twice.`);
  const body = blocks.get(`body:${request.get("body")}`);
  return {
    name: meta.get("name")!,
    position: Number(meta.get("seq")),
    method: (method === "http" ? request.get("method")! : method).toUpperCase(),
    url: fill(url, variables),
    headers: Object.fromEntries(pairsOf(blocks.get("headers")).map(([name, value]) => [name, fill(value, variables)])),
    body: body && fill(body.join("\n"), variables),
  };
}

/** The lines of each block, without their indent. */
function readBlocks(text: string): Blocks {
  const blocks = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    const [, name] = /^([\w:-]+) [{[]$/.exec(line) ?? [];
    if (open && /^[}\]]$/.test(line)) open = undefined;
    else if (open) {
      if (!line.startsWith("  ")) throw new Error(`${line} is not indented.`);
      open.push(line.slice(2));
    } else if (name !== undefined) {
      open = [];
      blocks.set(name, open);
    } else if (line !== "") throw new Error(`${line} is in no block.`);
  }
  if (open) throw new Error("A block is never closed.");
  return blocks;
}

function pairsOf(lines: readonly string[] = []): [string, string][] {
  return lines.map((line) => {
    const [, quoted, plain, value = ""] = /^(?:"((?:[^"\\]|\\.)*)"|([^\s:]+)):(?: (.*))?$/.exec(line) ?? [];
    const name = quoted?.replaceAll('\\"', '"') ?? plain;
    if (name === undefined) throw new Error(`${line} is no pair.`);
    return [name, value];
  });
}
