# MediaMTX with curl, which the hooks in mediamtx.yml call.
FROM bluenviron/mediamtx:1.20.1 AS mediamtx

FROM alpine:3.22
RUN apk add --no-cache curl
COPY --from=mediamtx /mediamtx /mediamtx
COPY mediamtx.yml /mediamtx.yml
USER nobody
ENTRYPOINT ["/mediamtx", "/mediamtx.yml"]
