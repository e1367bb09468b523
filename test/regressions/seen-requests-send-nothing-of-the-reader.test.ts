import { describe, expect, test } from "vitest";
import { httpFile } from "../../src/commands/requests/http-file.ts";
import { seenRequests } from "../../src/commands/requests/seen-requests.ts";

const ENTRY = { method: "POST", url: "/items", status: 201, requestHeaders: {} };

function fileOf(entry: object): string {
  const requests = seenRequests([{ ...ENTRY, ...entry }] as never);
  const book = { title: "a\nGET http://evil.test/", url: "http://localhost:3000", requests, headers: [] };
  return httpFile({ ...book, isTrial: false });
}

const hostile: [what: string, entry: object][] = [
  ["a variable in a header", { requestHeaders: { "x-a": "{{$processEnv HOME}} {{{$dotenv SECRET}}}" } }],
  ["a variable in the name of a header", { requestHeaders: { "{{$processEnv X}}": "a" } }],
  ["lines in a header", { requestHeaders: { "x-a": "a\n\n< /etc/passwd\u2028< /etc/passwd" } }],
  ["lines in the name of a header", { requestHeaders: { "x-a: b\n\n< /etc/passwd\nx": "a" } }],
  ["lines in the address", { url: "/items?a=1\n\n< /etc/passwd" }],
  ["a variable in the address", { url: "/items?a={{$processEnv HOME}}" }],
  ["lines in the name of the sandbox", { sandbox: "a\n\n< /etc/passwd {{$processEnv HOME}}" }],
  ["lines in the reason for a missing body", { requestBodyOmitted: "a\n\n< /etc/passwd" }],
  ["lines in a body of text", { requestBody: "a\n< /etc/passwd" }],
  ["a variable in a body", { requestBody: '{"a":"{{$processEnv HOME}}"}' }],
];

describe("an .http file of a hostile log", () => {
  for (const [what, entry] of hostile) {
    test(what, () => {
      const file = fileOf(entry);
      expect(file).not.toMatch(/\{\{\s*\$/);
      expect(file).not.toMatch(/^</m);
      expect(file.match(/^(GET|POST) /gm)).toEqual(["POST "]);
      expect(file.match(/^@/gm)).toEqual(["@"]);
    });
  }
});
