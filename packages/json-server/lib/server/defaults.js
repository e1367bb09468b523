module.exports = require("./index.js").defaults;
