export const PEOPLE = {
  first: [
    "Ada",
    "Grace",
    "Alan",
    "Edsger",
    "Barbara",
    "Donald",
    "Katherine",
    "Linus",
    "Margaret",
    "Tim",
    "Radia",
    "Ken",
  ],
  last: ["Okafor", "Lind", "Moreau", "Sato", "Novak", "Alvarez", "Haddad", "Berg", "Kaya", "Silva", "Dunn", "Ivanova"],
};
export const PLACES = ["Oslo", "Lisbon", "Nairobi", "Osaka", "Toronto", "Lima", "Graz", "Leeds", "Pune", "Hobart"];
export const QUALITIES = ["Oak", "Steel", "Linen", "Clay", "Brass", "Paper", "Wool", "Glass", "Cork", "Walnut"];
export const NOUNS = ["Lamp", "Chair", "Kettle", "Shelf", "Mug", "Basket", "Clock", "Blanket", "Ladder", "Bench"];
export const VERBS = ["Paint", "Repair", "Measure", "Order", "Sketch", "Review", "Pack", "Clean", "Test", "Describe"];
