/** A value, or a function that is called for each request. */
export type Lazy<T> = T | (() => T | Promise<T>)

export interface CommonOptions {
  /** Address of the product, such as `https://app.example.com`. Optional in pages of the product. */
  readonly baseUrl?: string
  /**
   * ID or slug of the tenant. Required for requests with the cookie; keys, tokens and realtime default to the caller's own
   * tenant.
   */
  readonly tenant?: Lazy<string | undefined>
  readonly fetch?: typeof globalThis.fetch
  /** Where no global `WebSocket` exists, for example `ws` in Node.js 20. */
  readonly WebSocket?: WebSocketConstructor
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a failed request is repeated where that is safe. 2 by default. */
  readonly retries?: number
  /** Time limit of each attempt, including the body of the response; 30 seconds by default. */
  readonly timeoutMs?: number
}

/** One kind of credential. Without one, requests carry the cookie of the page's origin. */
export type CredentialOptions =
  | { readonly token: Lazy<string>; readonly apiKey?: never; readonly anonymous?: never }
  | { readonly apiKey: Lazy<string>; readonly token?: never; readonly anonymous?: never }
  /** `anonymous` sends no cookie either. */
  | { readonly anonymous?: boolean; readonly token?: never; readonly apiKey?: never }

export type ClientOptions = CommonOptions & CredentialOptions

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the client's tenant. */
  readonly tenant?: string | undefined
  readonly retries?: number
  readonly timeoutMs?: number
}

export interface IdempotentOptions extends RequestOptions {
  /** Chosen by the client by default, so that a repeated request takes effect once. */
  readonly idempotencyKey?: string | undefined
}

export interface VersionedOptions extends RequestOptions {
  /** ETag of an earlier response. The call fails with `precondition_failed` if the resource has changed since. */
  readonly ifMatch?: string | undefined
}

/** The parts of a WebSocket that the client uses. `never` accepts listeners of any event type. */
export interface WebSocketLike {
  readonly readyState: number
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: never, listener: never): void
}
/** Called with the URL as a string. `never` accepts constructors with several signatures. */
export type WebSocketConstructor = new (url: never) => WebSocketLike

/** Bytes of a request body. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>
