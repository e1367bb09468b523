/** Whether a value is sent by clients or to them. `readOnly` properties belong to responses only, `writeOnly` ones to requests. */
export type Direction = "request" | "response";
