/** Gives every new record the time of its creation. A middleware as json-server 0.17 takes it. */
module.exports = function createdAt(req, _res, next) {
  const isOneRecord = typeof req.body === "object" && !Array.isArray(req.body);
  if (req.method === "POST" && isOneRecord) req.body.created_at = new Date().toISOString();
  next();
};
