import { useState } from "preact/hooks";
import { noteChange } from "../api/live-data.ts";
import type { Member } from "../api/overview.ts";
import type { ReadyRequest } from "./request-draft.ts";
import type { Outcome } from "./response-card.tsx";
import { sendRequest } from "./send-request.ts";
import { watchChange } from "./sent-change.ts";

interface Sending {
  /** Undefined until something was sent. */
  readonly outcome: Outcome | undefined;
  readonly isBusy: boolean;
  send(request: ReadyRequest): Promise<void>;
}

/** Sends requests of the user, and offers to undo those that write. */
export function useSending(members: readonly Member[]): Sending {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  const send = async (request: ReadyRequest): Promise<void> => {
    setBusy(true);
    const offerUndo = isWrite(request.method) ? await watchChange(request, members) : undefined;
    const received = await sendRequest(request);
    setOutcome(received);
    setBusy(false);
    if (!offerUndo) return;
    noteChange();
    if (received.kind === "response") void offerUndo(received);
  };
  return { outcome, isBusy, send };
}

export function isWrite(method: string): boolean {
  return !["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"].includes(method);
}
