/** Reads a form as 0.17 does. */
export { parse as parseForm } from "node:querystring";
