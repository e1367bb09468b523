/** What json-server adds to lodash, for projects that mix it into a lowdb of their own. */
const { createId, deepQuery, getRemovable } = require("./index.js").router({}).db._;

module.exports = { createId, deepQuery, getRemovable };
