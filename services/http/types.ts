/** What the HTTP layer is given and what it gives. Types only. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestHandler } from 'express'
import type {
  AccessCatalogue,
  AnyPage,
  AnyRawRoute,
  AnyRoute,
  AnySocket,
  Authenticator,
  Clock,
  Database,
  Operator,
  ProblemTable,
  Product,
  RawDocs,
  Secrets,
  Settings,
  Site,
  UntypedBus,
} from 'larder/kernel'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { ProblemDocument } from './problems.ts'

/** What one module brings, made. */
export interface MountedModule {
  readonly name: string
  readonly routes: readonly AnyRoute[]
  readonly rawRoutes: readonly AnyRawRoute[]
  readonly sockets: readonly AnySocket[]
  readonly pages: readonly { readonly page: AnyPage; readonly templates?: URL | undefined }[]
  readonly problems: ProblemTable
  /** Mounted below `/x/<module>`. */
  readonly express?: RequestHandler | undefined
  readonly site?: Site | undefined
  /** Folder of the templates that `site` names. */
  readonly templates?: URL | undefined
}

export interface PageContext {
  readonly locale: string
  readonly path: string
  /** Behind the question mark. */
  readonly search: string
  readonly caller?: { readonly userId: string }
  /** What modules add to every layout. */
  readonly site: Readonly<Record<string, unknown>>
  /** For `script` and `style` elements: the content security policy takes no others from inside the page. */
  readonly nonce: string
}

export interface ShownPage {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly templates?: URL
}

/** The part of the theme that pages need. */
export interface PageTheme {
  /** Compiles the template at mounting, so that its mistakes show at the start. */
  prepare?(page: ShownPage): void
  render(page: ShownPage, data: Readonly<Record<string, unknown>>, context: PageContext): string
  problemPage(document: ProblemDocument, context: PageContext): string
  /** What makes a page load anew by itself; empty but for people who write templates. */
  live?(nonce: string): string
  /** Read anew at each page: nothing that it rendered is kept. */
  readonly reload?: boolean
  /** Serves `/assets/*`. */
  readonly assets: RequestHandler
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** Why not: for the log, never for the caller. */
  readonly reason?: string
}

export interface HttpOptions {
  readonly settings: Pick<Settings, 'trustProxy' | 'rateLimits' | 'production' | 'metricsToken'>
  readonly log: Logger
  readonly clock: Clock
  readonly product: Product
  readonly secrets: Secrets
  readonly database: Database
  readonly bus: UntypedBus
  readonly operator: Operator
  readonly authenticator?: Authenticator | undefined
  readonly access: AccessCatalogue
  readonly modules: readonly MountedModule[]
  /** Everything that readiness depends on, the database first. */
  readonly checks: () => Promise<readonly CheckResult[]>
  readonly theme: PageTheme
  readonly version: string
  /** `/docs` and the OpenAPI document, open to anybody; true. */
  readonly docs?: boolean
  /** The recipe's word on limits, by their name: points per window in milliseconds. */
  readonly rateLimits?: Readonly<Record<string, { readonly points: number; readonly window: number }>>
}

/** One way in, as tests and the OpenAPI document see it. */
export interface Endpoint {
  readonly kind: 'route' | 'raw' | 'page' | 'socket' | 'express' | 'kernel'
  readonly module: string
  /** Upper case; `*` for an Express application, which answers any method. */
  readonly method: string
  /** Whole: `/v1/forms/:id`. */
  readonly path: string
  readonly allow: readonly string[]
  readonly apiKeys: boolean
  readonly route?: AnyRoute
  /** Of a raw route. */
  readonly docs?: RawDocs
  readonly summary?: string
}

export interface Http {
  readonly server: Server
  /** Where it listens, once it does. */
  readonly url: string
  /** Metrics of this process: others may add their gauges. */
  readonly registry: Registry
  /** For a server that outlives this kernel: `larder dev` swaps kernels behind one port. */
  handle(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Port 0 takes a free one. */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Stops accepting, lets go of sockets, finishes what is under way: 10 s at most. */
  drain(): Promise<void>
  /** Frees what is left: timers, subscriptions, connections. */
  close(): Promise<void>
  endpoints(): readonly Endpoint[]
  /** OpenAPI 3.1 of what is mounted. */
  openapi(): Readonly<Record<string, unknown>>
}
