/** Those that Node's server knows. */
export const METHODS: readonly string[] = (
  "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY " +
  "OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK " +
  "UNLOCK UNSUBSCRIBE"
).split(" ");

export function validateHeaderName(name: string): void {
  new Headers().append(name, "");
}

export function validateHeaderValue(name: string, value: string): void {
  new Headers().append(name, value);
}
