const form = document.querySelector("form");
const list = document.querySelector("ul");
const problem = document.querySelector("[role=alert]");

function show({ title, photo }) {
  const image = new Image(160);
  image.src = photo.url;
  image.alt = title;
  const entry = document.createElement("li");
  entry.append(image, ` ${title}`);
  list.append(entry);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await fetch("/pictures", { method: "POST", body: new FormData(form) });
  const picture = await response.json();
  problem.textContent = response.ok ? "" : picture.message;
  if (!response.ok) return;
  show(picture);
  form.reset();
});

for (const picture of await (await fetch("/pictures")).json()) show(picture);
