import { describe, expect, test } from "vitest";
import type { Overview } from "../../../console/src/api/overview.ts";
import { type Box, HEAD, ROW } from "../../../console/src/overview/diagram/box.ts";
import { type Graph, graphOf } from "../../../console/src/overview/diagram/graph.ts";
import { type Layout, layoutGraph } from "../../../console/src/overview/diagram/layout.ts";
import { spread } from "../../../console/src/overview/diagram/spread.ts";

/** `"order_lines: order product"`: a collection and those that it refers to. */
function graph(...lines: string[]): Graph {
  const members = lines.map((line) => line.split(":")[0] as string);
  const relations = lines.flatMap((line) => {
    const [from, to = ""] = line.split(":") as [string, string?];
    return to.split(" ").flatMap((name) => (name === "" ? [] : [{ from, field: `${name}_id`, to: name }]));
  });
  return graphOf({
    members: members.map((name) => ({ name, kind: "collection", count: 1, idKey: "id" })),
    relations,
  } as unknown as Overview);
}

const many = graph(
  ...Array.from({ length: 60 }, (_, at) => {
    const to = [at % 3 === 0 && "c0", at % 4 === 1 && "c1", at % 7 === 2 && `c${at - 1}`, at % 11 === 0 && `c${at}`];
    return `c${at}:${to.filter((name) => name && !(name === "c0" && at === 0)).join(" ")}`;
  }),
);
const GRAPHS: Readonly<Record<string, Graph>> = {
  "one collection": graph("notes"),
  "one that refers to itself": graph("categories:categories"),
  "none related": graph(..."abcdefghij"),
  "a chain": graph("a", "b:a", "c:b", "d:c", "e:d", "f:e", "g:f"),
  "a circle": graph("a:c", "b:a", "c:b"),
  "two that refer to each other": graph("a:b", "b:a"),
  "a shop": graph("companies", "products:companies", "orders:customers", "customers", "lines:orders products"),
  "many that refer to one": graph("users", ...Array.from({ length: 40 }, (_, at) => `t${at}:users`)),
  "sixty, some related": many,
};

describe.each([326, 966])("in %i pixels", (width) => {
  const layouts = new Map(Object.entries(GRAPHS).map(([name, one]) => [name, layoutGraph(one, width)]));

  for (const [name, one] of Object.entries(GRAPHS)) {
    test(`${name}: every box is apart, and every line leads from its key to its collection`, () => {
      const layout = layouts.get(name) as Layout;
      expect(layout.boxes.map(({ node }) => node.name).sort()).toEqual(one.nodes.map((node) => node.name).sort());
      expect(overlaps(layout)).toEqual([]);
      expect(layout.lines).toHaveLength(one.edges.length);
      for (const { edge, start, end } of layout.lines) {
        const from = boxOf(layout, edge.from);
        const row = from.node.keys.findIndex(({ to, field }) => to === edge.to && field === edge.field);
        const isSideways = start.x === from.x || start.x === from.x + from.width;
        if (isSideways) expect(start.y).toBe(from.y + HEAD + (row + 0.5) * ROW);
        else expect([from.y, from.y + from.height]).toContain(start.y);
        const to = boxOf(layout, edge.to);
        expect([to.x, to.x + to.width / 2, to.x + to.width]).toContain(end.x);
        expect(end.y).toBeGreaterThanOrEqual(to.y);
        expect(end.y).toBeLessThanOrEqual(to.y + to.height);
      }
      for (const { x, y, width: wide, height } of layout.boxes) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect([x + wide <= layout.width, y + height <= layout.height]).toEqual([true, true]);
      }
    });
  }

  test("fits, unless there are more ranks than fit side by side", () => {
    const wider = [...layouts].filter(([, layout]) => layout.width > width);
    expect(wider.map(([name]) => name)).toEqual(WIDER[width]);
  });
});

/** Where there is no other way. */
const WIDER: Readonly<Record<number, readonly string[]>> = {
  326: ["sixty, some related"],
  966: ["a chain"],
};

test("parents come before children, and a circle is cut once", () => {
  const { boxes } = layoutGraph(GRAPHS["a shop"] as Graph, 966);
  const x = (name: string) => boxes.find(({ node }) => node.name === name)?.x ?? 0;
  expect([x("companies") < x("products"), x("products") < x("lines"), x("customers") < x("orders")]).toEqual([
    true,
    true,
    true,
  ]);
  const circle = layoutGraph(GRAPHS["a circle"] as Graph, 966);
  expect(circle.lines.map(({ points }) => points).sort()).toEqual(["left", "left", "right"]);
});

test("things keep their order and distance, within the room, as near to their wishes as possible", () => {
  const wish = (start: number) => ({ start, size: 10, weight: 1 });
  expect(spread([wish(0), wish(100)], 5, 200)).toEqual([0, 100]);
  expect(spread([wish(50), wish(50)], 5, 200)).toEqual([42.5, 57.5]);
  expect(spread([wish(-40), wish(500)], 5, 100)).toEqual([0, 90]);
  expect(spread([wish(0), wish(0), wish(0)], 5, 20)).toEqual([0, 15, 30]);
});

function boxOf({ boxes }: Layout, name: string): Box {
  return boxes.find(({ node }) => node.name === name) as Box;
}

function overlaps({ boxes }: Layout): string[] {
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.node.name} ${other.node.name}`),
  );
}
