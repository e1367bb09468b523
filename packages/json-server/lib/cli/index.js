const start = require("./start.js");

module.exports = () => start(process.argv.slice(2));
