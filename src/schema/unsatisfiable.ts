/** No value was found that keeps a rule. */
export class Unsatisfiable extends Error {
  override readonly name = "Unsatisfiable";
  /** The place of the value in the record, as a JSON pointer. */
  readonly pointer: string;
  /** The keyword that cannot be kept. */
  readonly rule: string;

  constructor(pointer: string, rule: string, message: string) {
    super(message);
    this.pointer = pointer;
    this.rule = rule;
  }
}
