import { useRef, useState } from "preact/hooks";
import { noteChange } from "../api/live-data.ts";
import type { Member } from "../api/overview.ts";
import type { ReadyRequest } from "./request-draft.ts";
import type { Outcome, ReceivedResponse } from "./response-body.tsx";
import { sendRequest } from "./send-request.ts";
import { watchChange } from "./sent-change.ts";

interface Sending {
  /** Undefined until something was sent. */
  readonly outcome: Outcome | undefined;
  /** The response to the same request before. */
  readonly previous: ReceivedResponse | undefined;
  readonly isBusy: boolean;
  send(request: ReadyRequest): Promise<void>;
}

/** Sends requests of the user, and offers to undo those that write. */
export function useSending(members: readonly Member[], onReceived?: (outcome: Outcome) => void): Sending {
  const [outcome, setOutcome] = useState<Outcome>();
  const [previous, setPrevious] = useState<ReceivedResponse>();
  const earlier = useRef(new Map<string, ReceivedResponse>());
  const [isBusy, setBusy] = useState(false);
  const send = async (request: ReadyRequest): Promise<void> => {
    setBusy(true);
    const offerUndo = isWrite(request.method) ? await watchChange(request, members) : undefined;
    const received = await sendRequest(request);
    const key = `${request.method} ${request.url}`;
    setPrevious(earlier.current.get(key));
    if (received.kind === "response") earlier.current.set(key, received);
    setOutcome(received);
    setBusy(false);
    onReceived?.(received);
    if (!offerUndo) return;
    noteChange();
    if (received.kind === "response") void offerUndo(received);
  };
  return { outcome, previous, isBusy, send };
}

export function isWrite(method: string): boolean {
  return !["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"].includes(method);
}
