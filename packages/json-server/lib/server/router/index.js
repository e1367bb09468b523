module.exports = require("../index.js").router;
