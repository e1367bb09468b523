import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHostedWith, serveHosted, startHosted } from "../support/hosted.ts";
import { runKept } from "../support/kept-process.ts";

const EXAMPLES = {
  examples: [
    { name: "teas", request: { path: "/teas" }, response: { body: [{ id: 1 }] } },
    { name: "down", request: { path: "/teas" }, response: { status: 503, body: { example: true } } },
  ],
};

async function startWith(args: readonly string[], files: Readonly<Record<string, unknown>> = {}) {
  const folder = createFolder({ "examples.json": EXAMPLES, ...files });
  const config = "standin.json" in files ? ["--config", join(folder, "standin.json")] : [];
  const api = await openHostedWith([
    join(folder, "examples.json"),
    ...config,
    ...args.map((arg) => arg.replace("./", `${folder}/`)),
  ]);
  onTestFinished(() => api.close());
  return api;
}

describe("faults meet examples as they meet data", () => {
  test("by /__faults, which removes them, too", async () => {
    const api = await startHosted(EXAMPLES);
    const fault = { fault: "status", status: 500, body: { broken: true }, path: "/teas" };
    const added = await api.ask("POST /__faults", { body: fault });
    expect(added.status).toBe(201);
    expect(await api.ask("GET /teas")).toMatchObject({ status: 500, body: { broken: true } });
    expect((await api.ask("GET /__faults")).body).toMatchObject({ faults: [{ hits: 1, path: "/teas" }] });
    await api.ask("DELETE /__faults");
    expect((await api.ask("GET /teas")).body).toEqual([{ id: 1 }]);
    const { requests } = (await api.ask("GET /__requests?status=500")).body as { requests: unknown[] };
    expect(requests).toMatchObject([{ answeredBy: "fault", faults: [{ fault: "status" }] }]);
  });

  test("from the config file", async () => {
    const config = { faults: [{ fault: "malformed-json", path: "/teas" }] };
    const api = await startWith([], { "standin.json": config });
    expect((await api.ask("GET /teas")).text).toBe('[{"id":1},');
  });

  test("but Prefer: code= chooses an example", async () => {
    const api = await startHosted(EXAMPLES);
    expect((await api.ask("GET /teas", { headers: { Prefer: "code=503" } })).body).toEqual({ example: true });
    const missing = await api.ask("GET /teas", { headers: { Prefer: "code=418" } });
    expect([missing.status, codeOf(missing)]).toEqual([404, "EXAMPLE_NOT_FOUND"]);
    const wrong = await api.ask("GET /teas", { headers: { Prefer: "code=soon" } });
    expect(codeOf(wrong)).toBe("MATCH_HEADER_INVALID");
  });
});

describe("plugins", () => {
  const PLUGIN = `export default {
    name: "brewing",
    routes: { "GET /brewing/:tea": ({ params }) => ({ tea: params.tea }), "GET /teas/hot": () => ["hot"] },
    step: async ({ request }, next) => {
      const response = await next();
      if (request.headers.get("x-stop")) return new Response("stopped", { status: 418 });
      return response;
    },
  };`;

  test("add routes and steps, and the examples stay", async () => {
    const api = await startWith(["--plugins", "./brewing.mjs"], { "brewing.mjs": PLUGIN });
    expect((await api.ask("GET /brewing/assam")).body).toEqual({ tea: "assam" });
    expect((await api.ask("GET /teas/hot")).body).toEqual(["hot"]);
    expect((await api.ask("GET /teas")).body).toEqual([{ id: 1 }]);
    expect((await api.ask("GET /teas", { headers: { "x-stop": "1" } })).status).toBe(418);
    expect(codeOf(await api.ask("GET /nothing"))).toBe("EXAMPLE_NOT_FOUND");
  });
});

describe("layers", () => {
  test("guard and count requests to examples and to our own routes", async () => {
    const config = {
      middlewares: ["rate-limit", "api-key"],
      layers: { "rate-limit": { limit: 3, windowSeconds: 600 }, "api-key": { keys: ["tea-time-4711"] } },
    };
    const api = await startWith([], { "standin.json": config });
    const headers = { "X-API-KEY": "tea-time-4711" };
    expect(codeOf(await api.ask("GET /teas"))).toBe("API_KEY_MISSING");
    expect(codeOf(await api.ask("GET /__overview"))).toBe("API_KEY_MISSING");
    expect((await api.ask("GET /teas", { headers })).body).toEqual([{ id: 1 }]);
    const statuses = [];
    for (let times = 0; times < 4; times++) statuses.push((await api.ask("GET /teas", { headers })).status);
    expect(statuses).toContain(429);
  });
});

describe("our own routes", () => {
  test("/__overview shows the pipeline, and that there is no data", async () => {
    const api = await startWith(["--delay", "1", "--private", "--api-key", "k"]);
    const { body } = await api.ask("GET /__overview", { headers: { "X-Api-Key": "k" } });
    expect(body).toMatchObject({
      members: [],
      sandboxes: null,
      snapshots: false,
      pipeline: [
        { stage: "rewrite", rules: 0 },
        { stage: "layer", name: "private" },
        { stage: "faults" },
        { stage: "delay", ms: 1 },
        { stage: "examples" },
      ],
    });
  });

  for (const path of ["/db", "/__reset", "/__batch", "/__sandboxes", "/__mcp", "/__types", "/stats"]) {
    test(`${path} is not one of them`, async () => {
      const api = await startHosted(EXAMPLES);
      for (const method of ["GET", "POST"]) {
        expect(codeOf(await api.ask(`${method} ${path}`))).toBe("EXAMPLE_NOT_FOUND");
      }
    });
  }

  test("are not for pages of other origins and foreign hosts", async () => {
    const api = await startHosted(EXAMPLES);
    for (const line of ["GET /__overview", "GET /__faults", "POST /__faults", "GET /__events"]) {
      expect(codeOf(await api.ask(line, { headers: { origin: "https://evil.example" } }))).toBe("CROSS_ORIGIN");
      expect(codeOf(await api.ask(line, { headers: { host: "evil.example" } }))).toBe("HOST_FORBIDDEN");
    }
  });

  test("yield to examples of their paths", async () => {
    const example = { name: "mine", request: { path: "/__overview" }, response: { body: { mine: true } } };
    const api = await startHosted({ examples: [example] });
    for (const headers of [{}, { host: "evil.example" }]) {
      expect((await api.ask("GET /__overview", { headers })).body).toEqual({ mine: true });
    }
  });

  test("are off with --no-console, but for the overview and faults, as with data", async () => {
    const api = await startWith(["--no-console"]);
    const found = ["/__console", "/__requests", "/__events", "/__overview", "/__faults"].map(
      async (path) => (await api.ask(`GET ${path}`)).status,
    );
    expect(await Promise.all(found)).toEqual([404, 404, 404, 200, 200]);
  });
});

test("a broken file is reported before a port that is taken", async () => {
  const folder = createFolder({ "broken.json": "{" });
  const first = await serveHosted([], folder);
  const second = runKept(["hosted", "broken.json", "--port", new URL(first.url).port], folder);
  expect(await second.exit).toBe(1);
  expect(second.output.stderr).toMatch(/^standin: broken\.json/);
  await first.stop();
});
