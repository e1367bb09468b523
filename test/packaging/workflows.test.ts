import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { releaseNotes } from "../../scripts/docs/release-notes.ts";

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const FOLDER = ".github/workflows";
const { scripts, engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const jobs = readdirSync(FOLDER).flatMap((file) => {
  const { jobs } = load(readFileSync(join(FOLDER, file), "utf8")) as { jobs: Record<string, Job> };
  return Object.values(jobs);
});

test("workflows run scripts that exist", () => {
  const lines = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(lines).toContain("npm test");
  for (const line of lines) {
    const [, script] = /^npm run (\S+)/.exec(line) ?? [];
    if (script) expect(Object.keys(scripts)).toContain(script);
  }
});

test("the tests run on every system, and on the oldest version of Node that is supported", () => {
  const { matrix } = jobs.find(({ strategy }) => strategy)!.strategy!;
  expect(matrix.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  const [, oldest] = />=(\d+)/.exec(engines.node)!;
  expect(matrix.node).toContain(Number(oldest));
});

test("npm ci warns of no package on the oldest version of Node that is supported", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const tooNew = Object.entries(packages).filter(([, { engines: asked }]) => !isMetBy(20, 19, asked?.node ?? "*"));
  expect(engines.node).toBe(">=20.19");
  expect(tooNew).toEqual([]);
  expect(isMetBy(20, 19, "^20.20.0 || >=22.12.0")).toBe(false);
});

/** Whether a version of Node meets a range such as `^18 || >=20.1`. */
function isMetBy(major: number, minor: number, range: string): boolean {
  return range.split("||").some((part) => {
    const [, sign, ...numbers] = /^\s*(\^|>=)?\s*(\d+)?(?:\.(\d+))?/.exec(part)!;
    const [least = 0, leastMinor = 0] = numbers.map((number) => Number(number ?? 0));
    if (numbers[0] === undefined || (sign === ">=" && major > least)) return true;
    return major === least && minor >= leastMinor;
  });
}

describe("the notes of a release", () => {
  const changelog =
    "# Changelog\n\n## 1.2.0 (2026-11-30)\n\n- New.\n\n## 1.1.0 (2026-10-01)\n\n- Old.\n\n## 1.0.0 (Unreleased)\n- Not yet.\n";
  const notes = (tag: string, version = tag.slice(1)): string => releaseNotes(tag, version, changelog);

  test("are the section of its version", () => {
    expect(notes("v1.2.0")).toBe("- New.\n");
    expect(notes("v1.1.0")).toBe("- Old.\n");
  });

  test.each([
    ["v1.2.0", "1.2.1", "The tag is v1.2.0, but package.json has version 1.2.1: tag v1.2.1."],
    ["1.2.0", "1.2.0", "The tag is 1.2.0, but package.json has version 1.2.0: tag v1.2.0."],
    ["v1.2", "1.2", 'CHANGELOG.md has no section about 1.2: add "## 1.2 (date)".'],
    ["v1.0.0", "1.0.0", 'CHANGELOG.md says "1.0.0 (Unreleased)": put the date of the release there.'],
  ])("tag %s with version %s: refused", (tag, version, message) => {
    expect(() => notes(tag, version)).toThrow(message);
  });

  test("are written before anything is published", () => {
    const lines = jobs.map(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const publishing = lines.find((steps) => steps.some((run) => run.startsWith("npm publish")))!;
    expect(publishing[0]).toBe('node scripts/docs/release-notes.ts "$GITHUB_REF_NAME"');
    expect(lines.flat().filter((run) => run.startsWith("gh release create"))).toHaveLength(1);
  });

  test("package.json's version has a section in CHANGELOG.md", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(readFileSync("CHANGELOG.md", "utf8")).toMatch(new RegExp(`^## ${version.replaceAll(".", "\\.")} \\(`, "m"));
  });
});
