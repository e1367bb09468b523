import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { openHosted } from "../../support/hosted.ts";
import { CALLBACK, openShop } from "../sign-in/shop.ts";
import { serveForFile } from "./serve.ts";

/** A browser requests /favicon.ico for a page without an icon, which is a 404 in the console of its developer tools. */
const ICON = /<link rel="icon" href="(?<href>[^"]+)"/;

const serve = serveForFile([], { "db.json": { posts: [{ id: 1 }] } });

async function expectIcon(url: string, path: string): Promise<void> {
  const page = await askAt(url, `GET ${path}`, { headers: { Accept: "text/html" } });
  expect([path, page.headers.get("content-type")]).toEqual([path, "text/html; charset=utf-8"]);
  const href = ICON.exec(page.text)?.groups?.href ?? "none";
  if (href !== "data:,") expect([path, (await fetch(new URL(href, url + path))).status]).toEqual([path, 200]);
  else expect(page.headers.get("content-security-policy")).toMatch(/img-src [^;]*data:/);
}

describe("every page has an icon that it may load", () => {
  test.each(["/", "/__console", "/__docs", "/__guide", "/__guide/", "/__guide/querying.html"])("%s", async (path) => {
    await expectIcon(await serve(), path);
  });

  test("the plain page", async () => {
    await using api = await createStandin({ data: { posts: [] }, console: false });
    await expectIcon(api.url, "/");
  });

  const authorize = `/__oidc/authorize?client_id=shop-web&response_type=code&redirect_uri=${CALLBACK}&code_challenge=${"a".repeat(43)}&code_challenge_method=S256`;
  test.each([
    ["sign-in", authorize],
    ["an error of sign-in", "/__oidc/authorize"],
    ["a redirect by form", `${authorize}&login_hint=ann@shop.test&response_mode=form_post`],
    ["sign-out", "/__oidc/logout"],
  ])("%s", async (_, path) => {
    await using api = await openShop();
    await expectIcon(api.url, path);
  });

  test("the start page of examples", async () => {
    const hosted = await openHosted(undefined);
    onTestFinished(() => hosted.close());
    await expectIcon(hosted.url, "/");
  });

  test("every other one in the sources", () => {
    const files = ["src", "scripts/docs"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    );
    const pages = files.filter(
      (file) => /\.(?:ts|mjs|html)$/.test(file) && /<!doctype html>/i.test(readFileSync(file, "utf8")),
    );
    expect(pages).toContain("src/json-server/home-page.ts");
    expect(pages.filter((file) => !ICON.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});
