import { http } from "msw";
import { setupServer } from "msw/node";
import { createFetch } from "standin/fetch";
import { afterAll, afterEach, beforeAll } from "vitest";

const data = {
  products: [
    { id: 1, name: "Clay Pot", price: 12.75 },
    { id: 2, name: "Clay Mug", price: 8.45 },
    { id: 3, name: "Clay Jar", price: 30 },
  ],
};

/** The API behind the requests of the code under test. */
export const api = await createFetch({ data, base: "/api", guard: false });
const server = setupServer(http.all("https://shop.example/api/*", ({ request }) => api.match(request)));

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => api.reset());
afterAll(async () => {
  server.close();
  await api.close();
});
