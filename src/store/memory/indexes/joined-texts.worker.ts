/** Pages hold few records: to join their texts for each response takes less than keeping them would add to every worker. */
export const MAX_JOINED_RECORDS = 0;
export const MAX_JOINED = 0;

/** Only asked for no records. */
export class JoinedTexts {
  readonly length = 0;
  readonly isAscii = true;
  readonly isFull = false;

  join(): string {
    return "";
  }

  collect(): void {}

  replaced(): void {}

  moved(): void {}
}
