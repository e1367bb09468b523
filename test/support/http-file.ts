import { fill, type SentRequest } from "./sent-request.ts";

/** Reads an `.http` file as the editors do: variables, then requests that begin with `###`. */
export function readHttpFile(text: string, given: Readonly<Record<string, string>>): SentRequest[] {
  const [head = "", ...parts] = text.split(/^###/m);
  const declared = [...head.matchAll(/^@(\w+) *= *(.*)$/gm)].map(([, name, value]): [string, string] => [
    name!,
    value!,
  ]);
  const variables = new Map([...declared, ...Object.entries(given)]);
  const names = new Set<string>();
  return parts.map((part) => {
    const [title = "", ...lines] = part.split("\n");
    const first = lines.findIndex((line) => !line.startsWith("#"));
    const [, id = ""] = /^# @name (\w+)$/m.exec(lines.slice(0, first).join("\n")) ?? [];
    if (id === "" || names.has(id)) throw new Error(`${title}: the name ${id} is missing or taken.`);
    names.add(id);
    const [, method, url] = /^([A-Z]+) (\S+)$/.exec(lines[first] ?? "") ?? [];
    if (method === undefined || url === undefined) throw new Error(`${title}: ${lines[first]} is no request.`);
    const rest = lines.slice(first + 1);
    const blank = rest.indexOf("");
    const headers = rest.slice(0, blank === -1 ? rest.length : blank).map((line): [string, string] => {
      const colon = line.indexOf(": ");
      if (colon <= 0) throw new Error(`${title}: ${line} is no header.`);
      return [line.slice(0, colon), fill(line.slice(colon + 2), variables)];
    });
    const body =
      blank === -1
        ? ""
        : rest
            .slice(blank + 1)
            .join("\n")
            .trim();
    return {
      name: title.trim(),
      method,
      url: fill(url, variables),
      headers: Object.fromEntries(headers),
      body: body === "" ? undefined : fill(body, variables),
    };
  });
}
