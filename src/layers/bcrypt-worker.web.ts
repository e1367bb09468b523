import { compare } from "bcryptjs";

/** A page has no threads of Node; the library pauses by itself. */
export const compareInWorker = compare;
