module.exports = (db) => (req, res) => {
  const { name } = req.body;
  const voice = db.get("voices").find({ name }).value();
  if (voice === undefined) return res.status(400).json({ message: "no such voice" });
  const songs = db
    .get("songs")
    .filter((song) => song.voiceId === voice.id)
    .map("title")
    .value();
  res.status(200).json({ voice, songs });
};
