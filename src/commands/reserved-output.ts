import { Writable } from "node:stream";

/**
 * Keeps standard output for a protocol: everything else that is printed there, by users' code as well, goes to standard
 * error from now on.
 */
export function reserveOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, () => done()),
  });
}
