# The service without an embedded database: it needs DATABASE_URL. Build it with `docker build -t skein .`
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /skein --shell /usr/sbin/nologin skein
WORKDIR /skein
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/package.json ./
COPY --from=build /build/scripts/build.mjs /build/scripts/launch.mjs scripts/
COPY --from=build /build/prisma/migrations prisma/migrations
COPY --from=build /build/dist/program dist/program
COPY --from=build /build/dist/web dist/web
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
USER 10001
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=64", "--heap-growing-percent=100", "scripts/launch.mjs"]
CMD ["serve"]
