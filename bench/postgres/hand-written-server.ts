/**
 * A bare node:http handler with the best SQL for each request that a person would write by hand, on a table made for just
 * these records: what standin on PostgreSQL is held against. `hand-written-server.ts <port> <postgres url>`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import postgres from "postgres";

const [port, url] = process.argv.slice(2);
const sql = postgres(url!, { max: 10, connection: { search_path: "hand_written" } });

createServer((req, res) => {
  answer(req, res).catch((thrown) => {
    console.error(thrown);
    res.writeHead(500, { "Content-Length": 0 }).end();
  });
}).listen(Number(port), "127.0.0.1");

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path = "", search = ""] = req.url!.split("?");
  const id = Number(path.split("/")[2]);
  if (path === "/__batch") {
    const { requests } = await bodyOf<{ requests: readonly { body: Record<string, string | number> }[] }>(req);
    const rows = requests.map(({ body }) => body);
    const made = await sql`INSERT INTO products ${sql(rows, "name", "price", "company_id")}
      RETURNING id, name, price, company_id`;
    return send(
      res,
      200,
      made.map((body) => ({ status: 201, body })),
    );
  }
  if (req.method === "POST") {
    const { name, price, company_id } = await bodyOf(req);
    const [row] = await sql`INSERT INTO products (name, price, company_id)
      VALUES (${name as string}, ${price as number}, ${company_id as number}) RETURNING id, name, price, company_id`;
    return send(res, 201, row);
  }
  if (req.method === "PATCH") {
    const { price } = await bodyOf(req);
    const [row] = await sql`UPDATE products SET price = ${price as number} WHERE id = ${id}
      RETURNING id, name, price, company_id`;
    return send(res, 200, row);
  }
  if (search === "") {
    const [row] = await sql`SELECT id, name, price, company_id FROM products WHERE id = ${id}`;
    return send(res, 200, row);
  }
  const query = new URLSearchParams(search);
  const limit = Number(query.get("_limit"));
  const offset = (Number(query.get("_page")) - 1) * limit;
  if (query.has("company_id")) {
    return send(
      res,
      200,
      await sql`SELECT id, name, price, company_id FROM products
      WHERE company_id = ${Number(query.get("company_id"))} ORDER BY id`,
    );
  }
  if (query.has("_sort")) {
    return send(
      res,
      200,
      await sql`SELECT id, name, price, company_id FROM products
      JOIN (SELECT id FROM products ORDER BY price, id LIMIT ${limit} OFFSET ${offset}) AS page USING (id) ORDER BY price, id`,
    );
  }
  if (!query.has("price_gte")) {
    return send(
      res,
      200,
      await sql`SELECT id, name, price, company_id FROM products ORDER BY id LIMIT ${limit} OFFSET ${offset}`,
    );
  }
  const rows = await sql`SELECT id, name, price, company_id, count(*) OVER () AS total FROM products
    WHERE price BETWEEN ${Number(query.get("price_gte"))} AND ${Number(query.get("price_lte"))}
    ORDER BY id LIMIT ${limit} OFFSET ${offset}`;
  send(
    res,
    200,
    rows.map(({ total, ...row }) => row),
    { "X-Total-Count": rows[0]?.total ?? 0 },
  );
}

async function bodyOf<T = Record<string, unknown>>(req: IncomingMessage): Promise<T> {
  let text = "";
  for await (const chunk of req) text += chunk;
  return JSON.parse(text) as T;
}

function send(res: ServerResponse, status: number, body: unknown, headers: Record<string, string | number> = {}): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text), ...headers });
  res.end(text);
}
