const API = "https://shop.example/api";

export interface Product {
  id: number;
  name: string;
  price: number;
}

/** The products up to a price, the cheapest first. */
export async function affordable(limit: number): Promise<Product[]> {
  return read(await fetch(`${API}/products?price:lte=${limit}&_sort=price`));
}

export async function rename(id: number, name: string): Promise<Product> {
  const headers = { "Content-Type": "application/json" };
  return read(await fetch(`${API}/products/${id}`, { method: "PATCH", headers, body: JSON.stringify({ name }) }));
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`The shop responded with ${response.status}.`);
  return (await response.json()) as T;
}
