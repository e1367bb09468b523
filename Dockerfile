# A small image that serves /data/db.json on port 3000 as an ordinary user:
#
#   docker build -t standin .
#   docker run --rm -p 3000:3000 -v "$PWD/db.json:/data/db.json" standin
#
# Arguments after the image's name replace "db.json": `docker run ... standin shop.json --watch`.

FROM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts && rm -rf node_modules/.cache

FROM node:24-alpine
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json /app/schema.json /app/examples.schema.json /app/AGENTS.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
EXPOSE 3000
# Any response will do: a guarded server refuses this request, and is well.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/').then((r) => process.exit(r.status < 500 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js", "--host", "0.0.0.0", "--port", "3000"]
CMD ["db.json"]
