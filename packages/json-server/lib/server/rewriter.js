module.exports = require("./index.js").rewriter;
