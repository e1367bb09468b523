import { expect, test } from "vitest";
import { atOnce } from "../../src/base/slices.ts";
import { sortedPositions } from "../../src/store/memory/indexes/sorted-positions.ts";
import { Random } from "../compat/random.ts";

const COUNT = 20_000;

test("many numbers of every size and sign are sorted as few are, equal ones in their order", () => {
  const random = new Random(1);
  const odd = [
    0,
    -0,
    1,
    -1,
    0.1,
    -0.1,
    5e-324,
    -5e-324,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    2 ** 53,
    -(2 ** 31),
  ];
  const numbers = Array.from({ length: COUNT }, (_, at) => {
    if (at % 3 === 0) return random.pick(odd);
    return at % 3 === 1 ? random.int(-500, 500) / 100 : random.int(0, 1e9) * 1e7 * (at % 2 ? 1 : -1);
  });
  const expected = numbers.map((_, at) => at).sort((a, b) => numbers[a]! - numbers[b]! || a - b);
  expect([...atOnce(sortedPositions(numbers))]).toEqual(expected);
});

test("many equal numbers keep their order", () => {
  const order = atOnce(sortedPositions(Array<number>(COUNT).fill(7)));
  expect(order.every((position, at) => position === at)).toBe(true);
});
