const invent = require("./invent");

module.exports = () => {
  const stones = [];
  for (let id = 1; id <= 25; id++) stones.push({ id, colour: invent.colour(id), weight: invent.weight(id) });
  return { stones, boxes: [{ id: 1, stoneId: 4 }] };
};
