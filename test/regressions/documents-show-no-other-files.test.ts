import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { isPrivate } from "../../src/openapi/read/files/private-host.ts";
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

/** A server on this machine, which clients of standin may not reach. */
async function privateServer(): Promise<string> {
  const server = createServer((_req, res) => res.end(JSON.stringify({ secret: SECRET }))).listen(0);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe("a document shows no response of a private host", () => {
  for (const host of [
    "127.0.0.1",
    "localhost",
    "api.localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "2130706433",
  ]) {
    test(host, async () => {
      const { file, count } = folderWith(`http://${host}:${await privateServer()}/secret.json`);
      const { notes } = await loadApiDocument(file);
      expect(notes.join()).toContain("not read, because --allow-outside-refs is not set");
      await using api = await createStandin({ source: file });
      for (let at = 0; at < count; at++) {
        const answer = await askAt(api.url, `GET /form-${at}`);
        expect(answer.text, `/form-${at}`).not.toContain(SECRET);
      }
    });
  }

  test("unless that is allowed", async () => {
    const { file } = folderWith(`http://127.0.0.1:${await privateServer()}/secret.json`);
    await using api = await createStandin({ source: file, allowOutsideRefs: true });
    expect((await askAt(api.url, "GET /form-0")).text).toContain(SECRET);
  });

  test.each([
    ["10.1.2.3", true],
    ["172.16.0.1", true],
    ["172.32.0.1", false],
    ["192.168.1.1", true],
    ["169.254.169.254", true],
    ["[fc00::1]", true],
    ["[fe80::1]", true],
    ["[::]", true],
    ["[::ffff:10.0.0.1]", true],
    ["[2001:db8::1]", false],
    ["93.184.215.14", false],
    ["name.invalid", false],
  ])("%s is private: %s", async (host, expected) => {
    expect(await isPrivate(`http://${host}/`)).toBe(expected);
  });
});

test("a document refers to the other files of its own host, but follows no redirect to another one", async () => {
  const hidden = await privateServer();
  const content = (target: string) => ({ "application/json": { example: { $ref: target } } });
  const responses = (target: string) => ({
    get: { responses: { 200: { description: "ok", content: content(target) } } },
  });
  const paths = { "/own": responses("known.json"), "/moved": responses("moved.json") };
  const server = createServer((req, res) => {
    if (req.url === "/moved.json")
      return res.writeHead(302, { Location: `http://localhost:${hidden}/secret.json` }).end();
    const own = { known: "inside" };
    return res.end(
      JSON.stringify(
        req.url === "/known.json" ? own : { openapi: "3.1.0", info: { title: "Own", version: "1" }, paths },
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { notes } = await loadApiDocument(`${host}/api.json`);
  expect(notes).toContain(`also read: ${host}/known.json`);
  expect(notes.join()).toContain(`not read, because --allow-outside-refs is not set: ${host}/moved.json`);
});

test("a start that needs such a file fails with the reason", async () => {
  const content = { "application/json": { schema: { $ref: "../secret.json" } } };
  const paths = { "/one": { get: { responses: { 200: { description: "ok", content } } } } };
  const root = { openapi: "3.1.0", info: { title: "One", version: "1" }, paths };
  const folder = createFolder({ "secret.json": { secret: SECRET }, "apis/api.json": root });
  await expect(loadApiDocument(join(folder, "apis/api.json"))).rejects.toThrow(
    /"\.\.\/secret\.json": .*secret\.json is outside the document's folder; --allow-outside-refs allows that/,
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
