const COLOURS = ["amber", "blue", "coral"];

exports.colour = (index) => COLOURS[index % COLOURS.length];
exports.weight = (index) => (index * 37) % 11;
