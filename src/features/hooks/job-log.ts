import type { ClockSetting } from "../../base/clock.ts";
import type { KeptLog } from "../../store/store.ts";
import type { Job } from "./job.ts";

/** What the log says, line by line. */
type LogLine =
  /** The jobs of all changes up to a version. */
  | { readonly upTo: number; readonly jobs: readonly Job[]; readonly history?: boolean }
  /** The present state of a job. */
  | { readonly job: Pick<Job, "id" | "dueAt" | "state" | "attempts" | "reason"> }
  | { readonly dropped: readonly string[] }
  | { readonly clock: ClockSetting | null };

export interface LoggedJobs {
  /** The version up to which all changes have their jobs here; undefined before the first. */
  readonly upTo: number | undefined;
  /** Whether that is a version of the history; without one, each run counts anew. */
  readonly history: boolean;
  readonly jobs: readonly Job[];
  readonly clock: ClockSetting | undefined;
}

/**
 * The jobs of the main data, where they outlive the process. A change whose jobs are not there yet is still in the journal,
 * where a new run finds it.
 */
export class JobLog {
  readonly #log: KeptLog;

  constructor(log: KeptLog) {
    this.#log = log;
  }

  read(warn: (text: string) => void): LoggedJobs {
    let upTo: number | undefined;
    let history = true;
    let clock: ClockSetting | undefined;
    const jobs = new Map<string, Job>();
    for (const line of this.#log.read(warn) as readonly LogLine[]) {
      if ("upTo" in line) {
        upTo = line.upTo;
        history = line.history ?? history;
        for (const job of line.jobs) jobs.set(job.id, job);
      } else if ("job" in line) Object.assign(jobs.get(line.job.id) ?? {}, line.job);
      else if ("dropped" in line) for (const id of line.dropped) jobs.delete(id);
      else clock = line.clock ?? undefined;
    }
    return { upTo, history, jobs: [...jobs.values()], clock };
  }

  /** Writes all that is known anew. */
  rewrite(known: () => LoggedJobs): Promise<void> {
    return this.#log.rewrite(() => {
      const { upTo = 0, history, jobs, clock = null } = known();
      return [{ upTo, jobs, history }, { clock }] satisfies LogLine[];
    });
  }

  get isTooLong(): boolean {
    return this.#log.isTooLong;
  }

  /** Settles when the line would survive the end of this process, or a power loss where that is wanted. */
  append(line: LogLine): Promise<void> {
    return this.#log.append(line);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}
