/** Something on a line that wants to be somewhere, and needs room. */
export interface Wish {
  /** Where it wants to begin. */
  readonly start: number;
  readonly size: number;
  /** How much it insists. */
  readonly weight: number;
}

interface Block {
  readonly first: number;
  sum: number;
  weight: number;
}

/**
 * Places things in their order, none closer than `gap` to the next and all within `room`, if it is enough. Each is as near to
 * its wish as possible (least squares, by pooling neighbours that are in each other's way).
 */
export function spread(wishes: readonly Wish[], gap: number, room: number): number[] {
  const offsets: number[] = [];
  const blocks: Block[] = [];
  let offset = 0;
  for (const [index, { start, size, weight }] of wishes.entries()) {
    offsets.push(offset);
    blocks.push({ first: index, sum: (start - offset) * weight, weight });
    offset += size + gap;
    for (;;) {
      const [last, before] = [blocks.at(-1), blocks.at(-2)];
      if (!last || !before || mean(before) <= mean(last)) break;
      before.sum += last.sum;
      before.weight += last.weight;
      blocks.pop();
    }
  }
  const most = Math.max(0, room - offset + gap);
  return blocks.flatMap((block, index) => {
    const end = blocks[index + 1]?.first ?? wishes.length;
    const shift = Math.min(Math.max(0, mean(block)), most);
    return offsets.slice(block.first, end).map((own) => shift + own);
  });
}

function mean({ sum, weight }: Block): number {
  return sum / weight;
}
