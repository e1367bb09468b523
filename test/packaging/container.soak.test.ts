import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, serveCli } from "../support/cli.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { listOf, readDockerfile, readIgnored } from "./dockerfile.ts";

const [build = [], image = []] = readDockerfile("Dockerfile");

/** The steps of the Dockerfile, run in folders: no container engine is needed to know that they work. */
test("the steps of the Dockerfile make an image that serves", async () => {
  const root = createFolder();
  const [context, built, made] = ["context", "build", "image"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  copyContext(context);
  mkdirSync(join(built, "app"), { recursive: true });
  for (const { name, text } of build) {
    if (name === "COPY") copy(context, join(built, "app"), text);
    if (name === "RUN") execFileSync("sh", ["-c", text], { cwd: join(built, "app"), stdio: "ignore" });
  }
  mkdirSync(join(made, "app"), { recursive: true });
  for (const { name, text } of image) {
    if (name === "COPY") copy(built, join(made, "app"), text.replace("--from=build ", ""));
  }
  rmSync(built, { recursive: true });
  const data = createFolder({ "db.json": { products: [{ id: 1 }] } });
  const [, cli = "", ...flags] = listOf(image, "ENTRYPOINT");
  const served = await serveCli(["db.json", ...flags.slice(0, 2)], data, {}, join(made, cli));
  expect((await fetch(served.url.replace("0.0.0.0", "127.0.0.1"))).status).toBe(200);
  expect(await served.stop()).toBe(0);
  const [kilobytes = ""] = execFileSync("du", ["-sk", made], { encoding: "utf8" }).split("\t");
  tellNumbers(`The image adds ${Math.round(Number(kilobytes) / 1024)} MB to its base.`);
});

/** Copies the files that git knows and .dockerignore lets through. */
function copyContext(to: string): void {
  const ignored = readIgnored(".dockerignore");
  const isIgnored = (file: string): boolean =>
    !ignored.includes(`!${file}`) &&
    ignored.some((line) => file === line || file.startsWith(`${line}/`) || isOfKind(line, file));
  for (const file of execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n")) {
    if (isIgnored(file)) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(file, join(to, file));
  }
}

function isOfKind(line: string, file: string): boolean {
  return line.startsWith("*.") && !file.includes("/") && file.endsWith(line.slice(1));
}

/** As COPY does: into the target if it ends with a slash, else as the target. */
function copy(from: string, to: string, text: string): void {
  const paths = text.split(" ");
  const target = paths.pop()!;
  for (const path of paths) {
    const place = target.endsWith("/") ? join(to, target, basename(path)) : join(to, target);
    cpSync(join(from, path), place, { recursive: true });
  }
}
