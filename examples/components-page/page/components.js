/** The products of an API, cheapest first, with a form to add one. They know nothing of standin. */
export async function productList(api, headers = {}) {
  const list = document.createElement("section");
  const show = async () => {
    const response = await fetch(`${api}/products?_sort=price`, { headers });
    list.replaceChildren(...(response.ok ? [rows(await response.json()), form(add)] : [problem(response, show)]));
  };
  const add = async (product) => {
    const body = JSON.stringify(product);
    await fetch(`${api}/products`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body,
    });
    await show();
  };
  await show();
  return list;
}

function rows(products) {
  const list = document.createElement("ul");
  for (const { name, price } of products) list.append(element("li", `${name}: ${price.toFixed(2)}`));
  if (products.length === 0) list.append(element("li", "No products yet"));
  return list;
}

function form(onAdd) {
  const form = document.createElement("form");
  form.innerHTML = `<label>Name <input name="name" required></label>
    <label>Price <input name="price" type="number" step="0.01" required></label> <button>Add</button>`;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, price } = Object.fromEntries(new FormData(form));
    void onAdd({ name, price: Number(price) });
  });
  return form;
}

function problem({ status }, again) {
  const message = element("p", `The products cannot be loaded (${status}). `);
  const button = element("button", "Try again");
  button.addEventListener("click", () => void again());
  message.append(button);
  return message;
}

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}
