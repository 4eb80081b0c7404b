/** What a raw route reads and writes: the request and response of Node, with the members of Express that are documented. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The request of a raw route. Requests of Express are assignable to it. */
export interface RawRequest extends IncomingMessage {
  /** Path and query. */
  readonly url: string
  /** Path and query as the client sent them, also below a mount. */
  readonly originalUrl: string
  /** The path excludes the query. */
  readonly path: string
  /** Values are texts. Express, whose requests are assignable, declares lists too. */
  readonly params: Readonly<Record<string, string | readonly string[]>>
  readonly query: Readonly<Record<string, unknown>>
  /** Whether the client has the response with these headers, by `If-None-Match` or `If-Modified-Since`. */
  readonly fresh: boolean
  /** Whether the body has this media type, such as `multipart/form-data`. */
  is(type: string): string | false | null
}

type HeaderValue = string | string[]

/** The response of a raw route. */
export interface RawResponse extends ServerResponse {
  status(code: number): this
  /** Sets headers. */
  set(headers: Readonly<Record<string, HeaderValue>>): this
  set(name: string, value: HeaderValue): this
  /** Sets `content-type`, with the charset for texts. */
  type(type: string): this
  location(url: string): this
  redirect(status: number, url: string): void
  json(body: unknown): this
  /** Sends a text or bytes. */
  send(body: string | Buffer): this
  /** Sends a file, or the range of it that the request asks for. @param ended receives the error of a failure. */
  sendFile(path: string, options: FileOptions, ended: (error?: Error) => void): void
}

interface FileOptions {
  readonly dotfiles?: 'allow' | 'deny' | 'ignore'
  /** Whether to set `cache-control`. True by default. */
  readonly cacheControl?: boolean
  /** Whether to set `last-modified`. True by default. */
  readonly lastModified?: boolean
}
