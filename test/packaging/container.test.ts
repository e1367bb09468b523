import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { listOf, readDockerfile, readIgnored } from "./dockerfile.ts";

const [build = [], image = []] = readDockerfile("Dockerfile");

test("what the image is built from is in the build context", () => {
  const copied = build.filter(({ name }) => name === "COPY").flatMap(({ text }) => text.split(" ").slice(0, -1));
  expect(copied).toContain("package-lock.json");
  for (const path of copied) expect(existsSync(path), path).toBe(true);
  const ignored = readIgnored(".dockerignore");
  for (const needed of ["src", "clients", "console", "scripts/build.mjs", "tsconfig.build.json"]) {
    expect(existsSync(needed), needed).toBe(true);
    expect(ignored).not.toContain(needed);
  }
});

test("the server runs as an ordinary user, where data is mounted", () => {
  const order = image.filter(({ name }) => ["RUN", "USER", "WORKDIR"].includes(name)).map(({ text }) => text);
  expect(order.slice(-3)).toEqual(["mkdir /data && chown node:node /data", "node", "/data"]);
});

test("the command line of the image serves the file in its folder, also with other arguments", async () => {
  const folder = createFolder({ "db.json": { products: [{ id: 1 }] }, "shop.json": { orders: [{ id: 7 }] } });
  const [, , ...flags] = listOf(image, "ENTRYPOINT");
  const free = flags.map((flag) => (flag === "3000" ? "0" : flag === "0.0.0.0" ? "127.0.0.1" : flag));
  for (const [given, path] of [
    [listOf(image, "CMD"), "/products/1"],
    [["shop.json", "--pretty"], "/orders/7"],
  ] as const) {
    const served = await serveKept([...free, ...given], folder);
    expect((await fetch(`${served.url}${path}`)).status).toBe(200);
    await served.stop();
  }
});

test("the health check passes with any response, and fails without one", async () => {
  const check = listOf(image, "HEALTHCHECK");
  const exitCodeAt = async (port: number): Promise<number | null> => {
    const [program = "", ...args] = check.map((part) => part.replace(":3000", `:${port}`));
    expect(program).toBe("node");
    const [code] = await once(spawn(process.execPath, args, { stdio: "ignore" }), "close");
    return code as number | null;
  };
  const { port } = await startApi({ layers: { bearer: { token: "a-token-of-some-length" } }, middlewares: ["bearer"] });
  expect(await exitCodeAt(port)).toBe(0);
  // Port 1 is nobody's.
  expect(await exitCodeAt(1)).toBe(1);
});
