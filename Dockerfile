FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# The optional packages of this image: modules of a recipe, BUS=redis, traces, images, payments, ways to sign in.
RUN node scripts/image-packages.mjs @node-saml/node-saml @opentelemetry/exporter-trace-otlp-proto @opentelemetry/resources @opentelemetry/sdk-trace-base @simplewebauthn/server altcha-lib esbuild ioredis jose openid-client otpauth qrcode sharp stripe
RUN npm prune --omit=dev

FROM node:22-bookworm-slim
# The server needs Node.js only.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn*
RUN install -d -o node -g node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 LARDER_DATA=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/recipes ./recipes
COPY --from=build /app/themes ./themes
COPY --from=build /app/dist ./dist
USER node
EXPOSE 8080
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/v1/health`).then(reply => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# The flag of `npm start`, which saves memory. docs/operations.md describes it.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/dist/bin/larder.js"]
CMD ["start"]
