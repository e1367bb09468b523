import { spawn } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

export interface Registry {
  readonly url: string;
  readonly close: () => void;
}

/** One version of a package, and how its archive is sent. */
interface Version {
  readonly manifest: Manifest;
  readonly send: (res: ServerResponse) => void;
}

/**
 * A registry on this machine, which `npm install` can be pointed at without a network: it has the packages in
 * node_modules, and others as archives by their unpacked folders.
 */
export async function startRegistry(archives: Readonly<Record<string, string>>): Promise<Registry> {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, unknown> };
  const versions = [
    ...Object.keys(packages).flatMap((place) => installed(place) ?? []),
    ...Object.entries(archives).map(([folder, archive]) => archived(folder, archive)),
  ];
  const server = createServer((req, res) => {
    const [, name = "", version] =
      /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(req.url!)) ?? [];
    const found = versions.filter(({ manifest }) => manifest.name === name);
    const wanted = found.find(({ manifest }) => manifest.version === version);
    if (wanted) return wanted.send(res);
    res.statusCode = found.length > 0 ? 200 : 404;
    res.end(JSON.stringify(describePackage(name, found, `http://${req.headers.host}`)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function describePackage(name: string, found: readonly Version[], url: string): object {
  const versions = found.map(({ manifest }) => [
    manifest.version,
    { ...manifest, dist: { tarball: `${url}/${name}/-/${manifest.version}.tgz` } },
  ]);
  return { name, "dist-tags": { latest: found.at(-1)?.manifest.version }, versions: Object.fromEntries(versions) };
}

/** A package of node_modules; undefined where this machine has left out an optional one. */
function installed(place: string): Version | undefined {
  if (place === "") return undefined;
  try {
    return { manifest: manifestIn(place), send: (res) => sendFolder(place, res) };
  } catch {
    return undefined;
  }
}

function archived(folder: string, archive: string): Version {
  return { manifest: manifestIn(folder), send: (res) => createReadStream(archive).pipe(res) };
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function sendFolder(folder: string, res: ServerResponse): void {
  const args = ["-czf", "-", "--exclude=node_modules", "-C", dirname(folder), basename(folder)];
  spawn("tar", args, { stdio: ["ignore", "pipe", "inherit"] }).stdout.pipe(res);
}
