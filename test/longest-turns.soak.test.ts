import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AskOptions, askAt } from "./support/api.ts";
import { CLI, createFolder } from "./support/cli.ts";
import { somePort } from "./support/some-port.ts";
import { tellNumbers } from "./support/tell-numbers.ts";

/** Small requests over many records. Each says how long the loop's longest turn was; none may end the server. */
const RECORDS = 100_000;
const COMPANIES = 1000;
const GOAL_MS = 50;

type Row = readonly [line: string, options?: AskOptions];

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(",");
const each = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join("&");
const DRY = { Prefer: "tx=rollback" };
const FIELDS = ["id", "uniq", "text", "n", "place", "tags", "company_id"];
const WINDOWS = ["_limit=5", "_page=3&_limit=10", "_start=90000&_end=90010", "_per_page=7", "_after=", ""];
const FILTERS = ["n=3", "n:gte=1", "n:in=1,2,3", "text:contains=dolor", "text:like=lo.*em", "q=ipsum", "place.name=p3"];
const REDUNDANT = [
  "!n=3",
  "n:ne=4",
  "text:like=(a|b|c)*x",
  "uniq:startsWith=u1",
  "tags=x1",
  "nothing=1",
  "text:endsWith=t",
];

function rows(): Row[] {
  const found: Row[] = [];
  const get = (search: string): unknown => found.push([`GET /items?${search}`]);
  for (const field of FIELDS) for (const window of WINDOWS) get(`_sort=${field},-text&${window}`);
  for (const filter of [...FILTERS, ...REDUNDANT]) {
    for (const rest of ["_limit=5", "", "_sort=text&_limit=5", "_group=n", "_fields=id,n"]) get(`${filter}&${rest}`);
  }
  for (const field of FIELDS) {
    get(`_group=${field}&_limit=5`);
    get(`_group=${field}&_sort=-count&_limit=5`);
    get(`_group=${field}&_aggregate=${many(96, (at) => `sum:f${at}`)}&_limit=5`);
    get(`_group=${field},id&_aggregate=min:text,max:text,avg:n&_having=count:gt=0&_limit=5`);
  }
  get(`_sort=${many(20, (at) => FIELDS[at] ?? `z${at}`)}&_limit=5`);
  get(`_group=uniq,id,text&_aggregate=${many(100, (at) => `sum:f${at}`)}&_limit=1`);
  get(each(120, (at) => `_or=text:like=(a|b|c)*x${at}`));
  get(each(100, (at) => `_or=text:like=.{0,100}${at}`));
  get(each(100, (at) => `_or=text:contains=zz${at}`));
  get("callback=show");
  get("_expand=company");
  for (const path of ["/db", "/stats", "/__overview", "/__openapi.json", "/__types", "/llms.txt", "/items"])
    found.push([`GET ${path}`]);
  for (const operator of ["like", "contains"]) {
    const or = Array.from({ length: 190 }, (_, at) => ({ text: { [operator]: `q${at}z` } }));
    found.push(["QUERY /items", { body: { _where: { or } } }]);
  }
  found.push(["GET /companies?_embed=items"]);
  for (const x of [1, 2]) {
    found.push(["PATCH /items?_all=true", { body: { x } }]);
    found.push(["PATCH /items?n:lt=500", { body: { x } }]);
    found.push([`PATCH /__sandbox/s${x}/items?_all=true`, { body: { y: x } }]);
    found.push([`POST /__sandboxes/s${x}/promote`, { body: {} }]);
    const requests = Array.from({ length: 90 }, () => ({ method: "PATCH", path: "/items?_all=true", body: { x } }));
    found.push(["POST /__batch", { body: { requests }, headers: DRY }]);
  }
  const deletes = Array.from({ length: COMPANIES }, (_, at) => ({
    method: "DELETE",
    path: `/companies/${at + 1}?_dependent=items`,
  }));
  found.push(["POST /__batch", { body: { requests: deletes }, headers: DRY }]);
  found.push(["DELETE /items?n:lt=300", { headers: DRY }], ["DELETE /items?_all=true"]);
  return found;
}

test(`no small request over ${RECORDS} records ends the server or is a fault of it`, {
  timeout: 30 * 60_000,
}, async () => {
  const items = Array.from({ length: RECORDS }, (_, at) => ({
    id: at + 1,
    uniq: `u${(at * 7919) % RECORDS}`,
    text: `lorem ipsum ${at} dolor ${at % 97} sit amet`,
    n: at % 1000,
    place: { name: `p${at % 100}` },
    tags: [`x${at % 5}`, `y${at % 7}`],
    company_id: (at % COMPANIES) + 1,
    note: "long enough for the three hundred bytes that records have in practice ".repeat(3),
  }));
  const companies = Array.from({ length: COMPANIES }, (_, at) => ({ id: at + 1, name: `c${at}` }));
  const folder = createFolder({ "db.json": { items, companies } });
  const port = somePort();
  const child = fork(CLI, ["db.json", "--port", String(port)], {
    cwd: folder,
    silent: true,
    execArgv: ["--import", join(import.meta.dirname, "support/turn-meter.mjs")],
  });
  const longestTurn = async (): Promise<number> => {
    const told = once(child, "message");
    child.send("ask");
    return ((await told)[0] as { worst: number }).worst;
  };
  try {
    const url = `http://localhost:${port}`;
    await expect
      .poll(
        () =>
          askAt(url, "GET /health-check").then(
            (one) => one.status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    const longest: { readonly ms: number; readonly line: string }[] = [];
    for (const [line, options] of rows()) {
      await longestTurn();
      const { status } = await askAt(url, line, options);
      expect([200, 400, 503], `${line.slice(0, 80)}: ${status}`).toContain(status);
      longest.push({ ms: await longestTurn(), line: line.slice(0, 70) });
    }
    longest.sort((a, b) => b.ms - a.ms);
    const above = longest.filter(({ ms }) => ms > GOAL_MS);
    tellNumbers(
      `${longest.length} requests, longest turn ${longest[0]!.ms.toFixed(0)} ms, ${above.length} above ${GOAL_MS} ms:\n` +
        above.map(({ ms, line }) => `  ${ms.toFixed(0)} ms  ${line}`).join("\n"),
    );
    expect((await askAt(url, "GET /companies/2")).status).toBe(200);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});
