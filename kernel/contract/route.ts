/** Routes, raw routes, pages and sockets: each one object, closed unless `allow` opens it. */

import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Static, TSchema } from 'typebox'
import type { Problem, ProblemFactory } from '../base/index.ts'
import type { Credential } from './ports/access.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Described, RawDocs } from './raw-docs.ts'

export type { RateLimit } from './rate-limit.ts'

/**
 * Words that are no permission.
 * - `user`: any signed-in person; no tenant is asked for.
 * - `public`: anybody. A credential that is sent is still looked up, and a wrong one counts as none.
 * - `joinToken`, `signature`: anybody, as far as the kernel knows; the handler checks a credential of its own.
 */
export type AllowWord = 'user' | 'public' | 'joinToken' | 'signature'
/** In a list any will do. */
export type Allow<P extends string = string> = P | AllowWord | readonly (P | AllowWord)[]

type Words<A> = A extends readonly (infer W)[] ? W : A
type Open = 'public' | 'joinToken' | 'signature'
/** Behind an open word there may be no caller; behind `user` there may be no tenant. */
export type CallerOf<A> = Extract<Words<A>, Open> extends never ? Caller : Caller | undefined
export type TenantOf<A> = Extract<Words<A>, AllowWord> extends never ? string : string | undefined

/** Who is calling. */
export interface Caller {
  readonly kind: 'login' | 'apiKey'
  readonly credential: 'cookie' | 'bearer' | 'apiKey'
  /** `lgn_…` or `key_…`. */
  readonly principalId: string
  readonly userId: string
  /** The tenant of this request, if one was named or the credential is bound to one. */
  readonly tenantId: string | undefined
  readonly memberId: string | undefined
  readonly roles: readonly string[]
  /** Patterns; prefer `can`. */
  readonly permissions: readonly string[]
  /** Whether a role of the caller, here and now, holds this permission; of scope platform too. */
  can(permission: string): boolean
}

/** Facts of the request that a handler may need. */
export interface RequestFacts {
  /** `x-request-id`, taken over or made. */
  readonly id: string
  readonly ip: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
export type ParamsOf<Path extends string> = { readonly [K in ParamNames<Path>]: string }

export interface RouteInput<Path extends string, A, Q, B> {
  readonly params: ParamsOf<Path>
  readonly query: Q
  readonly body: B
  readonly caller: CallerOf<A>
  readonly tenantId: TenantOf<A>
  /** Which word or permission of `allow` let the request in. */
  readonly granted: Words<A>
  readonly request: RequestFacts
}

const REPLY = Symbol.for('larder.reply')
export interface Reply {
  readonly [REPLY]: true
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}
/** An answer with another status or with headers. With a `content-type`: text or, of a GET, an async iterable. */
export function reply(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return { [REPLY]: true, status, body, headers }
}
export const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && REPLY in value

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface Route<A, Path extends string, Q extends TSchema, B extends TSchema, Input> extends Described {
  readonly method: Method
  readonly path: Path
  readonly allow: A
  /** Whether an API key may call it; true. */
  readonly apiKeys?: boolean
  readonly query?: Q
  readonly body?: B
  /** Bytes; 1 MiB by default. */
  readonly bodyLimit?: number
  /** Whether the body may be the fields of an HTML form, too: text, and what was left empty was not given. */
  readonly forms?: boolean
  /** Status → schema of the body, null for none. The first is the status of a plain value. */
  readonly replies: Readonly<Record<number, TSchema | null>>
  /** Media types that the first of the replies may have beside JSON, as text: `text/csv`. */
  readonly texts?: readonly string[]
  /** Problems of this route beside the common ones: documented statuses. */
  readonly problems?: readonly Pick<ProblemFactory, 'code' | 'status' | 'sentence'>[]
  readonly limits?: readonly RateLimit[]
  /** `request`, the default: a POST, PUT, PATCH, DELETE runs in one unit of its tenant. `own`: it makes its units. */
  readonly unit?: 'request' | 'own'
  /** False on POSTs that must not be kept for replay: sign-in. */
  readonly idempotent?: boolean
  /** For a protocol with errors of its own: what to answer where path, query or body are wrong; else the problem. */
  readonly refuse?: (problem: Problem, params: Readonly<Record<string, string>>) => Reply | undefined
  handle(input: Input): Promise<unknown>
}
export type AnyRoute<P extends string = string> = Omit<Route<Allow<P>, string, TSchema, TSchema, never>, 'handle'> & {
  handle(input: never): Promise<unknown>
}

/** Declares a route; the compiler derives what the handler gets. Paths stand without the prefix `/v1`. */
export function route<
  const A extends Allow,
  const Path extends `/${string}`,
  const Q extends TSchema = TSchema,
  const B extends TSchema = TSchema,
>(
  spec: Route<A, Path, Q, B, RouteInput<Path, A, Given<Q>, Given<B>>> & { allow: A },
): AnyRoute<Exclude<Words<A>, AllowWord> & string> {
  return spec as never
}
/** `undefined` where no schema was given. */
type Given<S extends TSchema> = TSchema extends S ? undefined : Static<S>

// ── Raw routes, pages, sockets ──────────────────────────────────────────────────────────────────────────────────

/** A route that handles bytes itself, on Express. Authentication, tenant and `allow` are done before it. */
export interface RawRoute<A> extends Described {
  readonly method: Method
  /** Whole: with `/v1` where it belongs there. */
  readonly path: string
  readonly allow: A
  /** `page`: a form of a page posts here, always from our own origin; the tenant is the one that pages show. */
  readonly from?: 'page'
  /** Milliseconds that the body may take, where that is longer than requests have: the handler minds the pace. */
  readonly timeoutMs?: number
  readonly apiKeys?: boolean
  readonly limits?: readonly RateLimit[]
  /** Of every route but those that forms of pages post to. */
  readonly docs?: RawDocs
  handle(
    request: Request,
    response: Response,
    input: {
      caller: CallerOf<A>
      tenantId: TenantOf<A>
      granted: Words<A>
      request: RequestFacts
      /** Reads the whole body. Throws `body_too_large` past `limit` bytes, `unsupported_media_type` on a content encoding. */
      readBody(limit: number): Promise<Buffer>
    },
  ): Promise<void>
}
export type AnyRawRoute<P extends string = string> = Omit<RawRoute<Allow<P>>, 'handle'> & {
  handle(request: Request, response: Response, input: never): Promise<void>
}
export function rawRoute<const A extends Allow>(
  spec: RawRoute<A> & { allow: A },
): AnyRawRoute<Exclude<Words<A>, AllowWord> & string> {
  return spec as never
}

/** A page: a template of the module's folder, filled by `load`, shown in the theme's layout. */
export interface Page<A> {
  /** `<module>.<name>`: a theme may override it by this name. */
  readonly name: string
  readonly path: string
  readonly title: string
  readonly allow: A
  /** Counted for form posts alone; the form's fields are the body. A name that a route has too shares its count. */
  readonly limits?: readonly RateLimit[]
  /** Form posts to the same path, always from our own origin. Returns what `load` returns, or a redirect. */
  readonly post?: (input: PageInput<A> & { form: Readonly<Record<string, string>> }) => Promise<PageResult>
  readonly load: (input: PageInput<A>) => Promise<PageResult>
}
export interface PageInput<A = Allow> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly caller: CallerOf<A>
  readonly tenantId: TenantOf<A>
  readonly locale: string
  readonly request: RequestFacts
}
export type PageResult =
  | {
      readonly data: Readonly<Record<string, unknown>>
      /** In place of the page's own. */
      readonly title?: string
      readonly status?: number
      /** Beside our own, where the page's scripts may fetch and its media play from: `https://edge.acme.test`. */
      readonly origins?: readonly string[]
      readonly headers?: Readonly<Record<string, string | readonly string[]>>
    }
  | { readonly redirect: string; readonly headers?: Readonly<Record<string, string | readonly string[]>> }
export type AnyPage<P extends string = string> = Omit<Page<Allow<P>>, 'load' | 'post'> & {
  load(input: never): Promise<PageResult>
  post?(input: never): Promise<PageResult>
}
export function page<const A extends Allow>(
  spec: Page<A> & { allow: A },
): AnyPage<Exclude<Words<A>, AllowWord> & string> {
  return spec as never
}

/** One open socket, text frames only. */
export interface SocketPeer {
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly caller: Caller | undefined
  /** The credential of the upgrade request, where it identified the caller. */
  readonly credential: Credential | undefined
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number
  /** False when the frame did not fit into the send buffer: the peer is too slow. */
  send(text: string): boolean
  /** It brought a credential of the socket's own: it no longer counts among the strangers of its address. */
  markAuthenticated(): void
  close(code: number, reason?: string): void
}
export interface SocketSession {
  message(text: string): void | Promise<void>
  /** After the socket is gone, whoever closed it. */
  closed(code: number): void | Promise<void>
  /** The process stops: tell the peer to come back, then let go within the grace period. */
  drain?(): void | Promise<void>
}
export interface Socket<A> {
  readonly path: string
  readonly allow: A
  readonly summary?: string
  /** Bytes a frame; 128 KiB by default. */
  readonly maxFrame?: number
  /** Close codes of what it does not take; by default 1009 for a larger frame, 1003 for a binary one, 1007 for no UTF-8. */
  readonly codes?: { readonly tooLarge: number; readonly binary: number }
  /** Bytes that may wait to be sent; 1 MiB by default. */
  readonly maxBuffer?: number
  open(peer: SocketPeer): SocketSession | Promise<SocketSession>
}
export type AnySocket<P extends string = string> = Socket<Allow<P>>
export function socket<const A extends Allow>(
  spec: Socket<A> & { allow: A },
): AnySocket<Exclude<Words<A>, AllowWord> & string> {
  return spec as never
}
