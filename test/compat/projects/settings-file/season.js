module.exports = function season(req, res, next) {
  if (req.path === "/season") res.send("spring");
  else next();
};
