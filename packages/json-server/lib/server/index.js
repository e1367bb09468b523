module.exports = require("standin/json-server");
