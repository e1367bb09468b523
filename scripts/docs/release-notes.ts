/**
 * Prints the notes of a release: the section of CHANGELOG.md about the version of a tag. The release workflow runs it
 * before anything else, so that a tag that does not fit the package publishes nothing.
 *
 *     node scripts/docs/release-notes.ts v1.2.0
 */
import { readFileSync } from "node:fs";

export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) {
    throw new Error(`The tag is ${tag || "missing"}, but package.json has version ${version}: tag v${version}.`);
  }
  // Before each heading of a version: "## 1.2.0 (2026-11-30)".
  const section = changelog.split(/^(?=## )/m).find((part) => part.slice(3).split(/\s/, 1)[0] === version);
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section about ${version}: add "## ${version} (date)".`);
  }
  const [heading = "", ...lines] = section.split("\n");
  if (/unreleased/i.test(heading)) {
    throw new Error(`CHANGELOG.md says "${heading.slice(3)}": put the date of the release there.`);
  }
  const notes = lines.join("\n").trim();
  if (notes === "") throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${notes}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  try {
    process.stdout.write(releaseNotes(process.argv[2] ?? "", version, readFileSync("CHANGELOG.md", "utf8")));
  } catch (thrown) {
    console.error((thrown as Error).message);
    process.exitCode = 1;
  }
}
