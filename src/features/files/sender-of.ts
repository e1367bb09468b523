import type { Call } from "../../http/call.ts";
import { signedInUser } from "../../http/signed-in-user.ts";

/** Tells the senders of requests apart, by what their guard knows of them. */
export function senderOf(sender: Pick<Call, "user" | "credentialName" | "isPublic" | "isWriteOnly">): string {
  const { user = null, credentialName = null, isPublic = false, isWriteOnly = false } = sender;
  return JSON.stringify([signedInUser(sender)?.id ?? user, credentialName, isPublic, isWriteOnly]);
}
