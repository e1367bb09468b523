#!/usr/bin/env node
require("./start.js")(process.argv.slice(2));
