import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder, follow } from "../support/cli.ts";
import { createOriginalProject, createProject } from "../support/installed-project.ts";
import { ANY_PORT, listeningOf, TELLING, TOLD } from "../support/listening.ts";

interface Request extends AskOptions {
  readonly line: string;
  /** The two differ in the body, on purpose: standin says what is wrong, and has a page of its own at `/`. */
  readonly hasOwnBody?: boolean;
  /** The two differ in Link, on purpose: standin shows the address that the client used. */
  readonly hasOwnLink?: boolean;
}

const PROJECTS = resolve("test/compat/projects");
/** A form with one text, and files of a number of bytes under one name. */
function sentForm(field: string, ...sizes: readonly number[]): Pick<Request, "headers" | "body"> {
  const head = (rest: string): string => `--edge\r\nContent-Disposition: form-data; name=${rest}\r\n\r\n`;
  const files = sizes.map((size, at) => `${head(`"${field}"; filename="${at}.png"`)}${"x".repeat(size)}\r\n`);
  return {
    headers: { "Content-Type": "multipart/form-data; boundary=edge" },
    body: `${head('"title"')}Harbour\r\n${files.join("")}--edge--\r\n`,
  };
}
const WRAPPED = { "X-Wrapped": "yes" };

const REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  "harbour-gate": [
    { line: "POST /gate/open?with=badge", body: { badge: "buoy" } },
    { line: "POST /gate/open", body: { badge: "anchor" } },
    { line: "POST /gate/open?with=badge", body: { badge: "lost" } },
    { line: "GET /gate/open?with=badge" },
    { line: "GET /gate/skipper?name=Tove" },
    { line: "GET /harbour/skippers?badge=anchor" },
    { line: "PUT /gate/open", body: { holder: "Ragna" } },
    { line: "GET /harbour/gate-pass" },
  ],
  choir: [
    { line: "GET /api/songs?_page=1&_limit=2" },
    { line: "GET /api/songs/s2?_expand=voice" },
    { line: "GET /api/voices/1/songs?_sort=minutes" },
    { line: "GET /api/settings" },
    { line: "POST /api/entry", body: { name: "alto" } },
    { line: "POST /api/entry", body: { name: "bass" } },
    { line: "PATCH /api/songs/s3", body: { minutes: 4 } },
    { line: "GET /api/songs?minutes_gte=4&title_like=S" },
    { line: "DELETE /api/songs/s1" },
    { line: "GET /api/songs/s1", hasOwnBody: true },
    { line: "GET /songs" },
  ],
  ferry: [
    { line: "GET /crossings?minSeats=12" },
    { line: "GET /crossings?minSeats=12&start=1&count=2" },
    { line: "GET /crossings?minSeats=20&to=Holm&_sort=seats&_order=desc" },
    { line: "GET /crossings?minSeats=1&crew.captain=Ulla" },
    { line: "GET /crossings?_page=2&_limit=2" },
    { line: "GET /crossings/3?_embed=tickets" },
    { line: "POST /crossings", body: { to: "Holm", seats: 60 } },
    { line: "GET /crossings?minSeats=50" },
    { line: "GET /crossings/77?minSeats=1", hasOwnBody: true },
  ],
  kitchen: [
    { line: "GET /counts" },
    { line: "GET /dishes?stars_gte=3", headers: WRAPPED },
    { line: "GET /dishes/2", headers: WRAPPED },
    { line: "POST /counts" },
    { line: "GET /orders/70?_expand=dish" },
    { line: "POST /dishes", body: { name: "stew" }, headers: WRAPPED },
    { line: "POST /reset", body: { dishes: [{ id: 9, name: "rice", stars: 1 }], orders: [] } },
    { line: "GET /counts" },
    { line: "GET /db" },
  ],
  "two-doors": [
    { line: "GET /early?a=1" },
    { line: "GET /api/lamps?_page=1&_limit=2" },
    { line: "GET /lamps?_page=2&_limit=2" },
    { line: "POST /api/lamps", body: { watts: 11 } },
    { line: "GET /lamps/4" },
    { line: "PATCH /lamps/4", body: { watts: 12 } },
    { line: "GET /api/lamps?watts_gte=9" },
    { line: "GET /api/house" },
    { line: "DELETE /lamps/1" },
    { line: "GET /api/db" },
    { line: "GET /late", hasOwnBody: true },
  ],
  "settings-file": [
    { line: "GET /", hasOwnBody: true },
    { line: "GET /v1/plants?bed=north" },
    { line: "GET /bed/north/plants" },
    { line: "GET /diary" },
    { line: "GET /diary?by=Kim" },
    { line: "GET /v1/diary?q=sow" },
    { line: "POST /v1/plants", body: { name: "pea", bed: "south" } },
    { line: "GET /plants?_sort=name&_page=1&_limit=3" },
    { line: "GET /__rules" },
    { line: "GET /season" },
  ],
  "odd-flags": [
    { line: "GET /rooms/a" },
    { line: "GET /keys?_expand=room" },
    { line: "GET /rooms/b/keys" },
    { line: "PUT /rooms/b", body: { name: "Bedroom" } },
    { line: "GET /rooms?_sort=name&_order=desc" },
    { line: "GET /rooms?_page=1&_limit=1" },
  ],
  generated: [
    { line: "GET /stones?_page=3&_limit=10" },
    { line: "GET /api/stones/4?_embed=boxes" },
    { line: "GET /stones/7/show" },
    { line: "GET /coloured/coral" },
    { line: "GET /weighs?exactly=3" },
    { line: "GET /api/stones?_page=1&_limit=5", hasOwnLink: true },
    { line: "POST /api/boxes", body: { stoneId: 5 } },
    { line: "GET /stones/5/boxes" },
    { line: "GET /stones?weight_gte=8&colour_ne=amber&_sort=weight,id&_order=desc,asc" },
    { line: "GET /nothing/here", hasOwnBody: true },
  ],
  gallery: [
    { line: "POST /paintings", ...sentForm("image", 20) },
    { line: "GET /paintings/2" },
    { line: "GET /kept-0.png" },
    { line: "POST /paintings", body: { title: "By JSON" } },
    { line: "POST /paintings", ...sentForm("image", 60) },
    { line: "POST /paintings", ...sentForm("other", 20) },
    { line: "POST /frames", ...sentForm("images", 3, 4) },
    { line: "POST /frames", ...sentForm("images", 3, 4, 5) },
    { line: "POST /painters", ...sentForm("none") },
    { line: "PATCH /painters/2", ...sentForm("none") },
    { line: "POST /painters", ...sentForm("none", 1) },
    { line: "GET /db" },
  ],
  "esm-server": [
    { line: "GET /boxes/1?_embed=letters" },
    { line: "POST /letters", body: { to: "Carl", box_id: 1 } },
    { line: "PATCH /letters/2/open" },
    { line: "PATCH /letters/9/open" },
    { line: "GET /letters?isOpen=true" },
    { line: "GET /boxes/1/letters?_start=1&_end=3" },
    { line: "GET /letters/3?callback=show" },
    { line: "DELETE /letters/1" },
    { line: "GET /db" },
  ],
};

/** Both are installed once; every project gets them as its node_modules. */
let installed: { readonly theirs: string; readonly ours: string };
beforeAll(() => {
  const others = ["json-server-reset", "multer"];
  installed = { theirs: createOriginalProject({}, others), ours: createProject({}, others) };
});

test("every project is asked", () => {
  const folders = readdirSync(PROJECTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(REQUESTS).sort());
});

/** Those that differ from another one by little are left to npm run soak. */
const LEFT_TO_SOAK = new Set(["choir", "ferry", "gallery", "kitchen", "odd-flags", "settings-file", "two-doors"]);

for (const [name, requests] of Object.entries(REQUESTS)) {
  if (LEFT_TO_SOAK.has(name) && !process.env.STANDIN_SOAK) continue;
  describe(`${name}: \`${scriptOf(name)}\``, () => {
    const urls = { theirs: "", ours: "" };
    beforeAll(async () => {
      const [theirs, ours] = await Promise.all([start(name, installed.theirs), start(name, installed.ours)]);
      Object.assign(urls, { theirs: theirs.url, ours: ours.url });
      return () => Promise.all([theirs.stop(), ours.stop()]);
    });

    for (const request of requests) {
      test(`${request.line}${request.body ? ` ${JSON.stringify(request.body)}` : ""}`, async () => {
        const [expected, given] = await Promise.all([ask(urls.theirs, request), ask(urls.ours, request)]);
        expect(given).toEqual(expected);
      });
    }
  });
}

function scriptOf(name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(PROJECTS, name, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start;
}

/** Runs the start script of a project as npm would, on a free port in place of the one it wants. */
async function start(name: string, installation: string) {
  const folder = createFolder();
  cpSync(join(PROJECTS, name), folder, { recursive: true });
  symlinkSync(join(installation, "node_modules"), join(folder, "node_modules"));
  const [command, ...args] = scriptOf(name).split(" ");
  const program = command === "node" ? [] : [`node_modules/.bin/${command}`];
  const { VITEST, NODE_OPTIONS, ...env } = process.env;
  const child = spawn(process.execPath, [...TELLING, ...program, ...args], {
    ...TOLD,
    cwd: folder,
    env: { ...env, ...ANY_PORT },
  });
  const run = follow(child as ChildProcessWithoutNullStreams);
  const { port } = await listeningOf(run);
  const stop = (): Promise<unknown> => {
    child.kill("SIGKILL");
    return run.exit;
  };
  return { url: `http://localhost:${port}`, stop };
}

async function ask(url: string, { line, hasOwnBody, hasOwnLink, ...options }: Request): Promise<object> {
  const { status, body, text, headers } = await askAt(url, line, options);
  return {
    status,
    // Scripts and texts: json-server indents what is in them.
    body: hasOwnBody ? undefined : (body ?? text.replace(/\s/g, "")),
    total: headers.get("x-total-count"),
    link: hasOwnLink ? undefined : headers.get("link")?.replaceAll(url, ""),
  };
}
