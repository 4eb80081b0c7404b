/** Builders for routes, raw routes, pages and sockets. Access is denied unless `allow` grants it. */

import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { type DocumentedProblem, etag, type Problem, Type, type Wording } from '../base/index.ts'
import type { Caller, RequestFacts } from './caller.ts'
import type { Credential } from './ports/access.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Described, RawDocs, SocketDocs } from './raw-docs.ts'
import type { RawRequest, RawResponse } from './raw-request.ts'

/**
 * Values of `allow` that aren't permissions.
 * - `user`: any signed-in user; no tenant is required.
 * - `public`: anyone. A credential is still looked up; one that is invalid or isn't accepted here is ignored.
 * - `joinToken`, `signature`: anyone; the handler checks its own credential.
 */
export type AllowKeyword = 'user' | 'public' | 'joinToken' | 'signature'
/**
 * In a list, any one is sufficient. With `user` in the list, a valid credential that isn't accepted here (a cookie from
 * another site, an API key where `apiKeys` is false) is refused instead of ignored.
 */
export type Allow<P extends string = string> = P | AllowKeyword | readonly (P | AllowKeyword)[]

type Words<A> = A extends readonly (infer W)[] ? W : A
type Open = 'public' | 'joinToken' | 'signature'
/** Public endpoints may have no caller; with `user` there may be no tenant. */
export type CallerOf<A> = Extract<Words<A>, Open> extends never ? Caller : Caller | undefined
export type TenantOf<A> = Extract<Words<A>, AllowKeyword> extends never ? string : string | undefined

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
export type ParamsOf<Path extends string> = { readonly [K in ParamNames<Path>]: string }

/** The values of `filters`; undefined for a route without any. */
export type FiltersOf<F extends TProperties> = {} extends F
  ? undefined
  : { readonly [Name in keyof F]?: Static<F[Name]> }

export interface RouteInput<Path extends string, A, Q, B, F extends TProperties = {}> {
  readonly params: ParamsOf<Path>
  readonly query: Q
  readonly filters: FiltersOf<F>
  readonly body: B
  readonly caller: CallerOf<A>
  readonly tenantId: TenantOf<A>
  /** The value of `allow` that granted access. */
  readonly granted: Words<A>
  readonly request: RequestFacts
}

const REPLY = Symbol.for('larder.reply')
/** A reply with a status or headers of its own, as `reply` returns it. */
export interface Reply {
  readonly [REPLY]: true
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}
/** Returns another status, or headers. With a `content-type`, the body is text or, for GET, an async iterable. */
export function reply(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Reply {
  return { [REPLY]: true, status, body, headers }
}
/** A function that replies with a record and the entity tag of its version. */
export const replyWithEtag =
  <Body>(versionOf: (body: Body) => string | number) =>
  (status: number, body: Body, headers: Readonly<Record<string, string>> = {}): Reply =>
    reply(status, body, { etag: etag(versionOf(body)), ...headers })
export const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && REPLY in value

/** The method of an HTTP request. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The fields of `route`. */
export interface Route<
  A,
  Path extends string,
  Q extends TSchema,
  B extends TSchema,
  Input,
  F extends TProperties = TProperties,
> extends Described {
  readonly method: Method
  readonly path: Path
  readonly allow: A
  /** Whether API keys may call it. True by default. */
  readonly apiKeys?: boolean
  /**
   * With `allow: 'user'`: accepts an `x-tenant-id` of a tenant that the caller doesn't belong to. The handler has no
   * `tenantId` then and checks the header itself. False by default: such a request is refused with `not_a_member`.
   */
  readonly foreignTenant?: boolean
  /**
   * Refuses callers who must verify their email address first (403 `email_not_verified`). For actions that reach other
   * people, such as sending email. Identity decides who must; see `requireVerifiedEmail`.
   */
  readonly verifiedEmail?: boolean
  /**
   * How recently the person must have proved who they are, such as `10m`. A login that is older gets 403
   * `reauthentication_required`. For actions that a stranger at an open browser must not take. API keys are not asked:
   * set `apiKeys: false` where they must not call the route.
   */
  readonly recentAuth?: string
  /**
   * Whether an operator who acts as a user may call it. True by default; false for a route that reveals or makes a secret,
   * sends what belongs to the workspace to a new place, or can do more than the user's permissions: all outlast the
   * impersonation.
   */
  readonly impersonation?: boolean
  readonly query?: Q
  /** Name → schema of the parameter `filter[<name>]`, which may be absent. The handler gets their values by name. */
  readonly filters?: F
  readonly body?: B
  /** Bytes; by default 16 KiB for public routes, and 1 MiB for others. */
  readonly bodyLimit?: number
  /** Whether the body may also be an HTML form. Its values are text; empty fields are left out. */
  readonly forms?: boolean
  /** Status → schema of the body, null for none. Plain return values have the first status. */
  readonly replies: Readonly<Record<number, TSchema | null>>
  /**
   * Compresses replies with the status 200. Only for a body without secrets: beside text that an attacker chooses, the
   * compressed size reveals them. False by default.
   */
  readonly compressed?: boolean
  /** Text media types that the first reply may have instead of JSON, such as `text/csv`. */
  readonly texts?: readonly string[]
  /**
   * Problems of this route in addition to the common ones, for the documentation. A string is the code of a problem of
   * another module, and is left out in a product without that module.
   */
  readonly problems?: readonly (DocumentedProblem | string)[]
  /** False for a route whose `precondition_failed` has another cause than `If-Match`. True by default. */
  readonly ifMatch?: boolean
  readonly limits?: readonly RateLimit[]
  /**
   * `request` (default): a POST, PUT, PATCH or DELETE runs in one unit of its tenant. `own`: the handler creates its units.
   * `across`: it creates units of other tenants than that of the request, which those of `own` can't with an
   * `Idempotency-Key`.
   */
  readonly unit?: 'request' | 'own' | 'across'
  /**
   * Whether a POST accepts an `Idempotency-Key`. True by default. False for responses that must not be stored for replay,
   * such as those of sign-in. `required`: a request without a key is refused.
   */
  readonly idempotent?: boolean | 'required'
  /** The reply of protocols with their own errors to an invalid path, query or body. Without one, the problem is sent. */
  readonly refuse?: (problem: Problem, params: Readonly<Record<string, string>>) => Reply | undefined
  handle(input: Input): Promise<unknown>
}
/** A route with its types erased. */
export type AnyRoute<P extends string = string> = Omit<
  Route<Allow<P>, string, TSchema, TSchema, never>,
  'handle' | 'filters'
> & {
  handle(input: never): Promise<unknown>
}

/** Declares a route and infers the input of its handler. Paths omit the prefix `/v1`. */
export function route<
  const A extends Allow,
  const Path extends `/${string}`,
  const Q extends TSchema = TSchema,
  const B extends TSchema = TSchema,
  const F extends TProperties = {},
>(
  spec: Route<A, Path, Q, B, RouteInput<Path, A, Given<Q>, Given<B>, F>, F> & { allow: A },
): AnyRoute<Exclude<Words<A>, AllowKeyword> & string> {
  const { filters, ...rest } = spec
  return (filters ? withFilters(rest as unknown as Filtered, filters) : spec) as never
}

interface Filtered {
  readonly query?: TObject
  handle(input: { readonly query?: Readonly<Record<string, unknown>> }): Promise<unknown>
}

/** Adds the parameters of filters to the query, and takes their values out of it again. */
function withFilters(spec: Filtered, filters: TProperties): Filtered {
  const names = new Map(Object.keys(filters).map(name => [`filter[${name}]`, name]))
  const parameters = [...names].map(([parameter, name]) => [parameter, Type.Optional(filters[name] as TSchema)])
  return {
    ...spec,
    query: Type.Object({ ...spec.query?.properties, ...Object.fromEntries(parameters) }),
    handle({ query = {}, ...input }) {
      const given = Object.entries(query)
      const others = given.filter(([name]) => !names.has(name))
      const chosen = given.flatMap(([name, value]) => (names.has(name) ? [[names.get(name), value]] : []))
      return spec.handle({ ...input, query: Object.fromEntries(others), filters: Object.fromEntries(chosen) } as never)
    },
  }
}
/** `undefined` without a schema. */
type Given<S extends TSchema> = TSchema extends S ? undefined : Static<S>

// ── Raw routes, pages, sockets ──────────────────────────────────────────────────────────────────────────────────

/** A route that reads and writes bytes itself. It runs after authentication and `allow`. */
export interface RawRoute<A> extends Described {
  readonly method: Method
  /** The full path, including `/v1` if it has that. */
  readonly path: string
  readonly allow: A
  /** `page`: a page, or the target of its form. A post must come from this origin; the tenant is that of pages. */
  readonly from?: 'page'
  /** Time for the body in milliseconds, if longer than the default. The handler enforces a minimum throughput. */
  readonly timeoutMs?: number
  readonly apiKeys?: boolean
  readonly limits?: readonly RateLimit[]
  /** Required for all but targets of page forms. */
  readonly docs?: RawDocs
  handle(
    request: RawRequest,
    response: RawResponse,
    input: {
      caller: CallerOf<A>
      tenantId: TenantOf<A>
      granted: Words<A>
      request: RequestFacts
      /**
       * Compresses a text as the client accepts it. Only for a text without secrets that outlast the response.
       */
      encode(text: string): Promise<{ body: string | Buffer; headers: Readonly<Record<string, string>> }>
      /** Reads the whole body. Throws `body_too_large` past `limit` bytes, `unsupported_media_type` on a content encoding. */
      readBody(limit: number): Promise<Buffer>
    },
  ): Promise<void>
}
/** A raw route with its types erased. */
export type AnyRawRoute<P extends string = string> = Omit<RawRoute<Allow<P>>, 'handle'> & {
  handle(request: RawRequest, response: RawResponse, input: never): Promise<void>
}
/** Declares a route that reads the bytes of the body and writes the response itself. */
export function rawRoute<const A extends Allow>(
  spec: RawRoute<A> & { allow: A },
): AnyRawRoute<Exclude<Words<A>, AllowKeyword> & string> {
  return spec as never
}

/** A page: a template of the module, rendered with the data of `load` in the layout of the theme. */
export interface Page<A> {
  /** `<module>.<name>`: themes override the page by this name. */
  readonly name: string
  readonly path: string
  readonly title: string
  readonly allow: A
  /** Counted for form posts only; the form is the body. A route with a limit of the same name shares the count. */
  readonly limits?: readonly RateLimit[]
  /**
   * How recently the person must have proved who they are, such as `10m`: to use the page at all, or only to post the
   * forms for which `forms` returns true. Others are redirected to a page that asks them, and back.
   */
  readonly recentAuth?:
    | string
    | { readonly within: string; readonly forms: (form: Readonly<Record<string, string>>) => boolean }
  /** Bytes of the body of a form post; default: 64 KiB. */
  readonly formLimit?: number
  /** Handles form posts to the same path, from this origin only. Returns what `load` returns, or a redirect. */
  readonly post?: (input: PageInput<A> & { form: Readonly<Record<string, string>> }) => Promise<PageResult>
  readonly load: (input: PageInput<A>) => Promise<PageResult>
}
/** What the handlers of a page receive. */
export interface PageInput<A = Allow> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly caller: CallerOf<A>
  readonly tenantId: TenantOf<A>
  readonly locale: string
  readonly request: RequestFacts
}
/** What a page returns: data for its template, or a redirect. */
export type PageResult =
  | {
      readonly data: Readonly<Record<string, unknown>>
      /** Replaces the title of the page. */
      readonly title?: string
      readonly status?: number
      /** Other origins that scripts may fetch from and media may load from, such as `https://edge.acme.test`. */
      readonly origins?: readonly string[]
      /** Origins whose pages may show this one in a frame: also `'self'` or `*`. None by default. */
      readonly frameAncestors?: readonly string[]
      readonly headers?: Readonly<Record<string, string | readonly string[]>>
    }
  | { readonly redirect: string; readonly headers?: Readonly<Record<string, string | readonly string[]>> }
/** A page with its types erased. */
export type AnyPage<P extends string = string> = Omit<Page<Allow<P>>, 'load' | 'post'> & {
  load(input: never): Promise<PageResult>
  post?(input: never): Promise<PageResult>
}
/** Declares an HTML page. */
export function page<const A extends Allow>(
  spec: Page<A> & { allow: A },
): AnyPage<Exclude<Words<A>, AllowKeyword> & string> {
  return spec as never
}

/** One open socket. Only text frames are supported. */
export interface SocketPeer {
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly caller: Caller | undefined
  /** The credential of the upgrade request, if it identified the caller. */
  readonly credential: Credential | undefined
  /** Bytes waiting to be sent. */
  readonly bufferedAmount: number
  /**
   * Sends a text frame. Encode a frame for many peers once, and send them the same buffer. Returns false if the frame
   * doesn't fit into the send buffer: the peer is too slow.
   */
  send(frame: string | Buffer): boolean
  /** Words an error in the language of the upgrade request. */
  say(text: Wording | Problem): string
  /** Call after the peer sent a valid credential: it no longer counts as an anonymous socket of its IP address. */
  markAuthenticated(): void
  close(code: number, reason?: string): void
}
/** What a socket receives of its client. */
export interface SocketSession {
  message(text: string): void | Promise<void>
  /** Called after either side closed the socket. */
  closed(code: number): void | Promise<void>
  /** Called when the process stops: ask the peer to reconnect, then close within the grace period. */
  drain?(): void | Promise<void>
}
/** The fields of `socket`. */
export interface Socket<A> {
  readonly path: string
  readonly allow: A
  readonly summary?: string
  /** Bytes per frame; 128 KiB by default. */
  readonly maxFrame?: number
  /** Close codes for unsupported frames. Defaults: 1009 too large, 1003 binary, 1007 invalid UTF-8. */
  readonly codes?: { readonly tooLarge: number; readonly binary: number }
  /** False if the session itself verifies callers whose rights were revoked. True by default. */
  readonly closeOnRevocation?: boolean
  /** Size of the send buffer in bytes; 1 MiB by default. */
  readonly maxBuffer?: number
  /** The texts in the AsyncAPI document. A function is called after all modules have started. */
  readonly docs?: SocketDocs | (() => SocketDocs)
  open(peer: SocketPeer): SocketSession | Promise<SocketSession>
}
/** A socket with its types erased. */
export type AnySocket<P extends string = string> = Socket<Allow<P>>
/** Declares a WebSocket endpoint. */
export function socket<const A extends Allow>(
  spec: Socket<A> & { allow: A },
): AnySocket<Exclude<Words<A>, AllowKeyword> & string> {
  return spec as never
}
