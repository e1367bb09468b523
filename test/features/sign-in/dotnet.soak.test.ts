import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { TOKEN_FAULTS } from "../../../src/features/sign-in/faulty-token.ts";
import { createFolder } from "../../support/cli.ts";
import { limit } from "../../support/limits.ts";
import { somePort } from "../../support/some-port.ts";
import { compile, findSdk, runProgram } from "../description/clients/dotnet.ts";
import { writtenFor } from "../description/clients/written-client.ts";
import { openShop, shopUsers } from "./shop.ts";

const found = spawnSync("dotnet", ["--version"], { encoding: "utf8" });
const version = found.status === 0 ? found.stdout.trim() : undefined;
const sdk = version === undefined ? undefined : findSdk();
if (version === undefined) {
  const reason = found.error?.message ?? found.stderr.trim().split("\n")[0];
  console.warn(
    `ASP.NET Core and the C# client do not sign in: there is no .NET SDK here (dotnet --version: ${reason}).`,
  );
}

const APP = resolve("test/fixtures/aspnet-sign-in");
const HINT = "ann@shop.test";

describe.skipIf(version === undefined)("ASP.NET Core, where there is a .NET SDK", () => {
  test("the handlers of JWT bearer and OpenID Connect accept our tokens, and no faulty ones", {
    timeout: limit(600_000),
  }, async (context) => {
    const major = Number.parseInt(version ?? "", 10);
    const folder = createFolder({
      "App.csproj": readFileSync(join(APP, "App.csproj.txt"), "utf8").replaceAll("MAJOR", String(major)),
      "Program.cs": readFileSync(join(APP, "Program.cs.txt"), "utf8"),
    });
    const restored = spawnSync("dotnet", ["restore"], { cwd: folder, encoding: "utf8" });
    if (restored.stdout.includes("NU1301"))
      context.skip("The packages of the handlers cannot be had: NuGet is out of reach.");
    await promisify(execFile)("dotnet", ["build", "-c", "Release", "-o", "out", "--no-restore"], { cwd: folder });

    const address = `http://127.0.0.1:${somePort()}`;
    const redirectUris = [`${address}/signin-oidc`];
    await using api = await openShop({
      algorithm: "RS256",
      clients: [{ id: "aspnet", secret: "a secret of the app", redirectUris }],
    });
    const app = spawn("dotnet", ["out/App.dll", `${api.url}/__oidc`, address], { cwd: folder });
    onTestFinished(async () => {
      const closed = once(app, "close");
      app.kill();
      await closed;
    });
    for await (const piece of app.stdout) if (String(piece).includes("listening")) break;

    const askApi = (token: string) => fetch(`${address}/api`, { headers: { Authorization: `Bearer ${token}` } });
    const whole = await askApi(await api.tokenFor(HINT));
    expect([whole.status, await whole.text()]).toEqual([200, "1"]);
    for (const fault of TOKEN_FAULTS) {
      expect([fault, (await askApi(await api.tokenFor(HINT, { fault }))).status]).toEqual([fault, 401]);
    }
    expect(await (await signInByPage(address)).json()).toEqual({ sub: "1", email: HINT, city: "Rome" });
  });

  test("the C# client signs in as a user", { timeout: limit(300_000) }, async () => {
    if (!sdk) return;
    const client = await writtenFor({ data: shopUsers() }, "client", "--lang", "csharp", "--namespace", "Shop");
    const folder = createFolder({ "Implicit.cs": IMPLICIT, "Client.cs": client, "Program.cs": CLIENT_PROGRAM });
    const files = ["Implicit.cs", "Client.cs", "Program.cs"];
    const references = sdk.references[0] ?? "";
    expect(await compile(sdk, references, folder, { files, out: "signs-in", isProgram: true })).toBe("");
    await using api = await openShop();
    expect(await runProgram(folder, "signs-in", api.url)).toBe("1\nTrue");
    expect((await api.history.list({ limit: 1 })).versions[0]?.by).toBe("bob@shop.test");
  });
});

/** Does what a browser does: follows redirects, sends the form that the issuer answers with, and keeps cookies. */
async function signInByPage(address: string): Promise<Response> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = body ? { method: "POST", body } : {};
    const isApp = url.startsWith(address);
    const response = await fetch(url, { ...sent, redirect: "manual", headers: isApp ? { cookie } : {} });
    for (const one of isApp ? response.headers.getSetCookie() : []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const challenge = await visit(`${address}/me?hint=${encodeURIComponent(HINT)}`);
  expect(challenge.status).toBe(302);
  const form = await (await visit(challenge.headers.get("location") ?? "")).text();
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  const back = await visit(`${address}/signin-oidc`, new URLSearchParams(fields as [string, string][]));
  expect(back.status).toBe(302);
  return visit(`${address}/me`);
}

const IMPLICIT = ["System", "System.Collections.Generic", "System.Linq", "System.Net.Http", "System.Threading.Tasks"]
  .map((name) => `global using ${name};`)
  .join("\n");

const CLIENT_PROGRAM = `using Shop;
using Shop.Http;

using var client = new StandinClient(new StandinClientOptions { Url = args[0], User = "bob@shop.test" });
Console.WriteLine((await client.Orders.ListAsync()).Count);
Console.WriteLine((await client.Orders.CreateFromAsync(new { user_id = 2 })).UserId == 2);
`;
