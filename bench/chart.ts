import type { Curve } from "./growth.ts";

const WIDTH = 760;
const HEIGHT = 440;
const PLOT = { left: 70, top: 20, right: 560, bottom: 380 };
/** Told apart in light and in dark, and by eyes that see few colours. */
const COLOURS = ["#0a84d6", "#d9730d", "#2a9d5c", "#b14fc5"];
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #333 }
  .grid { stroke: #8884; stroke-width: 1 }
  .curve { fill: none; stroke-width: 2.5 }
  .other { stroke-dasharray: 5 4; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } }
`;

/** The growth curves as a picture: records to the right, response time upwards, both logarithmic. */
export function renderChart(curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const x = scale(
    points.map(({ size }) => size),
    PLOT.left,
    PLOT.right,
  );
  const y = scale(
    points.map(({ cpuMs }) => cpuMs),
    PLOT.bottom,
    PLOT.top,
  );
  const kinds = [...new Set(curves.map(({ kind }) => kind))];
  const lines = curves.map(({ kind, server, points }) => {
    const path = points.map(({ size, cpuMs }) => `${round(x.at(size))},${round(y.at(cpuMs))}`).join(" ");
    const style = server === "standin" ? "curve" : "curve other";
    return `<polyline class="${style}" stroke="${COLOURS[kinds.indexOf(kind)]}" points="${path}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    "<title>Time for one response, from 100 to 1,000,000 records: standin stays flat, json-server grows</title>",
    `<style>${STYLE}</style>`,
    ...x.ticks.map((value) => vertical(round(x.at(value)), value.toLocaleString("en"))),
    ...y.ticks.map((value) => horizontal(round(y.at(value)), value < 1 ? `${round(value * 1000)} µs` : `${value} ms`)),
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 45}" text-anchor="middle">records</text>`,
    ...lines,
    ...legend(kinds),
    "</svg>",
    "",
  ].join("\n");
}

interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** By powers of ten, from the one below the least value to the one above the greatest. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)),
    at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

function vertical(x: number, label: string): string {
  const line = `<line class="grid" x1="${x}" y1="${PLOT.top}" x2="${x}" y2="${PLOT.bottom}"/>`;
  return `${line}<text x="${x}" y="${PLOT.bottom + 20}" text-anchor="middle">${label}</text>`;
}

function horizontal(y: number, label: string): string {
  const line = `<line class="grid" x1="${PLOT.left}" y1="${y}" x2="${PLOT.right}" y2="${y}"/>`;
  return `${line}<text x="${PLOT.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function legend(kinds: readonly string[]): string[] {
  return ["standin", "json-server"].flatMap((server, group) =>
    kinds.map((kind, index) => {
      const y = 40 + (group * (kinds.length + 1) + index) * 22;
      const style = group === 0 ? "curve" : "curve other";
      const line = `<line class="${style}" stroke="${COLOURS[index]}" x1="585" y1="${y}" x2="615" y2="${y}"/>`;
      return `${line}<text x="622" y="${y + 4}">${server}: ${kind}</text>`;
    }),
  );
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
