import { readFileSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { loadArchives } from "../../features/record/feature.ts";
import type { Terminal } from "../terminal.ts";
import { openRecorder, type RecordOptions } from "./open-recorder.ts";
import { printRecording } from "./print-recording.ts";

interface ArchiveOptions extends RecordOptions {
  readonly from: string | undefined;
  readonly quiet: boolean;
}

/** Records the traffic of an HTTP archive: that with the named API, or with the one that sent most JSON. */
export async function recordArchive(
  options: ArchiveOptions,
  address: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { from = "", quiet } = options;
  const { busiestOrigin, readHar } = await loadArchives();
  const found = readHar(textOf(from), from);
  const wanted = address === undefined ? busiestOrigin(found) : new URL(address).origin;
  const fitting = found.filter(({ origin }) => origin === wanted);
  if (wanted === undefined || fitting.length === 0) {
    const origins = [...new Set(found.map(({ origin }) => origin))];
    throw new StartError(
      `${from} has no requests${wanted === undefined ? "" : ` to ${wanted}`}. ${origins.length > 0 ? `It has some to ${origins.join(", ")}.` : ""}`.trim(),
    );
  }
  const { recorder, save } = await openRecorder(wanted, options);
  for (const { exchange } of fitting) recorder.see({ exchange });
  recorder.stop();
  const saved = await save();
  if (!quiet) printRecording(terminal, recorder.summary(), saved);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new StartError(`${file} cannot be read: ${fileProblem(thrown)}`);
  }
}
