/** Places in all forms that an object can have them in, and values that are none. */
export const PLACES = [
  { id: 1, kind: "a", at: { lat: 41.9, lon: 12.5 }, branches: [{ at: { lat: 45.4642, lon: 9.19 } }] },
  { id: 2, kind: "a", at: { latitude: 40.8518, longitude: 14.2681 }, branches: [{ at: [{ lat: 48, lng: 2 }] }] },
  { id: 3, kind: "a", at: { lat: "45.4642", lng: "9.1900" } },
  { id: 4, kind: "a", at: [{ lat: 48.8566, lng: 2.3522 }, { city: "Paris" }] },
  { id: 5, kind: "a", at: { lat: 40.7128, lon: -74.006, city: "New York" } },
  { id: 6, kind: "a", at: { lat: -36.8509, lon: 174.7645 } },
  { id: 7, kind: "b", at: [[{ lat: 0, lon: 0 }], [{ lat: 42, lon: 12.6 }]] },
  { id: 8, kind: "b", at: { lat: 41.9 } },
  { id: 9, kind: "b", at: { lat: 91, lon: 12.5 } },
  { id: 10, kind: "b", at: "41.9,12.5" },
  { id: 11, kind: "b", at: null },
  { id: 12, kind: "b" },
];
