/** `?minSeats=` filters what the server has found, and `?start=` and `?count=` cut a page out of the rest. */
module.exports = (req, res, next) => {
  const { minSeats, start, count } = req.query;
  if (req.method !== "GET" || minSeats === undefined) return next();
  for (const name of ["minSeats", "start", "count"]) delete req.query[name];
  const jsonp = res.jsonp.bind(res);
  res.jsonp = (found) => {
    if (!Array.isArray(found)) return jsonp(found);
    const enough = found.filter(({ seats }) => seats >= Number(minSeats));
    res.setHeader("X-Total-Count", enough.length);
    res.setHeader("Access-Control-Expose-Headers", "X-Total-Count");
    const from = Number(start) || 0;
    return jsonp(enough.slice(from, from + (Number(count) || enough.length)));
  };
  next();
};
