import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveHosted } from "../support/hosted.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const SECRET = "token-of-somebody";

/** Every way in which a document could show a file, as the content of one response. */
const FORMS = (target: string): Readonly<Record<string, object>> => ({
  "example with $ref": { example: { $ref: target } },
  "nested in an example": { example: { inner: { $ref: target } } },
  "value with $ref": { examples: { one: { value: { $ref: target } } } },
  externalValue: { examples: { one: { externalValue: target } } },
  "default of a schema": { schema: { type: "object", default: { $ref: target } } },
});

function folderWith(target: string) {
  const contents = Object.entries(FORMS(target));
  const paths = contents.map(([, content], at) => [
    `/form-${at}`,
    { get: { responses: { 200: { description: "ok", content: { "application/json": content } } } } },
  ]);
  const folder = createFolder({
    "secret.json": { secret: SECRET },
    "secret.txt": SECRET,
    "apis/inside/known.json": { known: "inside" },
    "apis/api.json": { openapi: "3.1.0", info: { title: "Forms", version: "1" }, paths: Object.fromEntries(paths) },
  });
  symlinkSync(join(folder, "secret.json"), join(folder, "apis", "link.json"));
  symlinkSync(folder, join(folder, "apis", "up"));
  return { folder, file: join(folder, "apis", "api.json"), count: contents.length };
}

const TARGETS = (folder: string): readonly string[] => [
  "../secret.json",
  join(folder, "secret.json"),
  `file://${join(folder, "secret.txt")}`,
  "link.json",
  "up/secret.json",
  "inside/../../secret.json",
];

describe("a document shows no file outside its folder", () => {
  const anywhere = createFolder({ "secret.json": { secret: SECRET }, "secret.txt": SECRET });
  for (const target of TARGETS(anywhere)) {
    test(target.replace(anywhere, "<folder>"), async () => {
      const { file, count } = folderWith(target);
      const { notes } = await loadApiDocument(file);
      expect(notes.join()).toContain("not read, because --allow-outside-refs is not set");
      await using api = await createStandin({ source: file });
      for (let at = 0; at < count; at++) {
        const answer = await askAt(api.url, `GET /form-${at}`);
        expect(answer.text, `/form-${at}`).not.toContain(SECRET);
      }
    });
  }
});

test("a start that needs such a file fails with the reason", async () => {
  const content = { "application/json": { schema: { $ref: "../secret.json" } } };
  const paths = { "/one": { get: { responses: { 200: { description: "ok", content } } } } };
  const root = { openapi: "3.1.0", info: { title: "One", version: "1" }, paths };
  const folder = createFolder({ "secret.json": { secret: SECRET }, "apis/api.json": root });
  await expect(loadApiDocument(join(folder, "apis/api.json"))).rejects.toThrow(
    /"\.\.\/secret\.json" leads nowhere: .*secret\.json is outside the document's folder; --allow-outside-refs allows that/,
  );
});

test("files of the folder are read, and the start names them", async () => {
  const { file, count } = folderWith("inside/known.json");
  expect((await loadApiDocument(file)).notes).toContain("also read: inside/known.json");
  await using api = await createStandin({ source: file });
  const answers = await Promise.all([...Array(count).keys()].map((at) => askAt(api.url, `GET /form-${at}`)));
  expect(answers.filter(({ text }) => text.includes("inside")).length).toBeGreaterThan(2);
});

test("a program and the commands read other files if that is allowed", async () => {
  const { folder, file } = folderWith("../secret.json");
  await using api = await createStandin({ source: file, allowOutsideRefs: true });
  expect((await askAt(api.url, "GET /form-0")).text).toContain(SECRET);
  for (const [words, isShown] of [
    [["hosted", "apis/api.json"], false],
    [["hosted", "apis"], false],
    [["hosted", "apis/api.json", "--allow-outside-refs"], true],
    [["apis/api.json"], false],
    [["apis/api.json", "--allow-outside-refs"], true],
  ] as const) {
    const [first, ...rest] = words;
    const served = await (first === "hosted" ? serveHosted(rest, folder) : serveKept(words, folder));
    const path = words[1] === "apis" ? "/api/form-0" : "/form-0";
    const answer = await askAt(served.url, `GET ${path}`);
    expect([answer.status, answer.text.includes(SECRET)], words.join(" ")).toEqual([200, isShown]);
    await served.stop();
  }
  expect(await runKept(["bind", "apis/api.json", "--allow-outside-refs"], folder).exit).toBe(0);
});
