module.exports = (req, res, next) => {
  if (!req.headers["x-wrapped"]) return next();
  const { send } = res;
  res.send = (body) => {
    res.send = send;
    const payload = typeof body === "string" ? JSON.parse(body) : body;
    return res.json({ ok: res.statusCode < 400, payload });
  };
  next();
};
