"use client";

import { useEffect, useState } from "react";

interface Product {
  id: number;
  name: string;
  price: number;
}

export default function Page() {
  const [products, setProducts] = useState<Product[]>([]);
  useEffect(() => {
    fetch("/api/products?_sort=price")
      .then((response) => response.json())
      .then(setProducts);
  }, []);
  return (
    <ul>
      {products.map(({ id, name, price }) => (
        <li key={id}>
          {name}: {price}
        </li>
      ))}
    </ul>
  );
}
