module.exports = require("./index.js").bodyParser;
