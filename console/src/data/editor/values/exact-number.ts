/** Whether a number that was typed keeps its digits. Long numbers, such as those of accounts and messages, would not. */
export function keepsDigits(text: string): boolean {
  const typed = text.trim();
  if (!/^[+-]?\d+$/.test(typed)) return true;
  const number = Number(typed);
  return Number.isSafeInteger(number) || BigInt(typed) === BigInt(number) || typed === String(number);
}
