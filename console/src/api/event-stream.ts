/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Cuts a stream of text into events, wherever the chunks are cut; ignores comments and unknown fields. */
export class EventStreamParser {
  #rest = "";
  #id = "";
  #type = "";
  #data: string[] = [];

  push(piece: string): StreamEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line !== "") this.#field(line);
      else if (this.#data.length > 0) events.push(this.#event());
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id") this.#id = value;
    else if (name === "event") this.#type = value;
    else if (name === "data") this.#data.push(value);
  }

  #event(): StreamEvent {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    this.#type = "";
    this.#data = [];
    return event;
  }
}
