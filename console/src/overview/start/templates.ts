/** The samples to choose from, and how their foreign keys end where the server leaves that open. */
export const TEMPLATES = {
  shop: { title: "A shop", collections: "categories, products, customers, orders", suffix: "_id" },
  blog: { title: "A blog", collections: "users, posts, comments", suffix: "Id" },
  tasks: { title: "A task board", collections: "users, projects, tasks", suffix: "Id" },
} as const;
