import { ownHeaders } from "./ask.ts";
import { pathHere } from "./base.ts";
import { credentialsVersion } from "./credentials.ts";
import { askForCredentials } from "./guard.ts";
import type { JsonObject } from "./json.ts";
import { refusalOf, unreachable } from "./refusal.ts";

/** Stores a file, and tells which part of it has been sent, from 0 to 1. Resolves to the object that stands for it. */
export async function uploadFile(file: File, onProgress: (part: number) => void): Promise<JsonObject> {
  for (;;) {
    const sentWith = credentialsVersion();
    const { status, text } = await send(file, onProgress);
    if (status < 400) return JSON.parse(text) as JsonObject;
    const refusal = refusalOf(status, text);
    if (!(await askForCredentials(refusal, sentWith))) throw refusal;
  }
}

/** By the older interface: fetch tells nothing about the way of a body. */
function send(file: File, onProgress: (part: number) => void): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", pathHere(`/__files?name=${encodeURIComponent(file.name)}`));
    for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(unreachable());
    request.send(file);
  });
}
