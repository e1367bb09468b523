/** The methods of HTTP that servers know. */
export { METHODS, validateHeaderName, validateHeaderValue } from "node:http";
