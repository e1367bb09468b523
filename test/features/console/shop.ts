import type { JsonObject } from "../../../src/base/json/json.ts";

/** A dot of one colour as a picture. */
const picture = (colour: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="${colour}"/></svg>`)}`;

const NAMES = "Oak Mug,Linen Apron,Steel Pan,Clay Bowl,Wool Rug,Glass Jug,Cork Mat,Birch Tray".split(",");

/** A shop with a field of every kind that views and filters tell apart. New with every call. */
export function shop(): JsonObject {
  return {
    makers: [
      { id: 1, name: "Perlman", city: "Rome", place: { lat: 41.9, lon: 12.5 } },
      { id: 2, name: "Orsini", city: "Oslo", place: { lat: 59.9, lon: 10.7 } },
      { id: 3, name: "Bauer", city: "Lima", place: { lat: -12, lon: -77 } },
    ],
    categories: [
      { id: 1, name: "Kitchen" },
      { id: 2, name: "Living" },
    ],
    products: Array.from({ length: 24 }, (_, at) => ({
      id: at + 1,
      name: NAMES[at] ?? `Thing ${at + 1}`,
      price: 100 + at * 20,
      status: ["draft", "active", "archived"][at % 3] as string,
      maker_id: (at % 3) + 1,
      category_id: (at % 2) + 1,
      tags: at % 2 === 0 ? ["new", "gift"] : ["sale"],
      added_on: `2026-0${1 + (at % 3)}-${String(10 + (at % 12)).padStart(2, "0")}`,
      image: picture(at % 2 === 0 ? "teal" : "tomato"),
      size: { width: at + 1, height: 2 * at + 1 },
      link: `https://shop.example.com/products/${at + 1}`,
      note: at === 3 ? "Fired **twice**, glazed in `blue` by hand in a small workshop near the harbour" : "plain",
    })),
    orders: [],
  };
}
