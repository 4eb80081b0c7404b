/** Options and interfaces of the HTTP service. Types only. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type {
  AnyPage,
  AnyRawRoute,
  AnyRoute,
  AnySocket,
  Problem,
  ProblemTable,
  ProofChallenge,
  RawDocs,
  Settings,
  Site,
  SiteVisit,
  UntypedBus,
} from '@larder-dev/larder/kernel/internal'
import type { Registry } from 'prom-client'
import type { TSchema } from 'typebox'
import type { ResponseTimes } from './monitoring/response-times.ts'
import type { HttpDeps } from './needs.ts'

/** What a module adds to the OpenAPI document. */
export interface OpenApiPart {
  /** Requests that the product sends, by name. */
  readonly webhooks: Readonly<Record<string, WebhookDocs>>
}
export interface WebhookDocs {
  readonly summary: string
  readonly tags: readonly string[]
  /** JSON. */
  readonly body: TSchema
  /** In the format of OpenAPI. */
  readonly parameters: readonly object[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

/** What a module adds to the client that `larder client` generates. */
export interface ClientHelper {
  /** The property of the client: `flags`, or `media.upload`. */
  readonly name: string
  /**
   * A TypeScript file without imports that exports `factory`. The factory receives `{ resources, request }`: the
   * methods of the client, and a `fetch` that throws a `LarderError` for a status of 400 or more.
   */
  readonly source: URL
  readonly factory: string
  /** Types that become type arguments of the factory: name → JSON Schema. */
  readonly types?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * An Express router, application or middleware. The declaration as a method accepts handlers of requests with more members
 * than those of Node.
 */
export type MountedHandler = {
  handle(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown
}['handle']

/** The registrations of one module. */
export interface MountedModule {
  readonly name: string
  readonly routes: readonly AnyRoute[]
  readonly rawRoutes: readonly AnyRawRoute[]
  readonly sockets: readonly AnySocket[]
  readonly pages: readonly { readonly page: AnyPage; readonly templates?: URL | undefined }[]
  readonly problems: ProblemTable
  /** Mounted below `/x/<module>`. */
  readonly express?: MountedHandler | undefined
  readonly site?: Site | undefined
  /** The pages that `site` shows, `<module>.<name>`. */
  readonly siteTemplates: readonly string[]
  /** Folder of the templates of `site`. */
  readonly templates?: URL | undefined
}

/** Returns sanitized HTML. Throws a problem if the text is too costly. */
export type RenderMarkdown = (tenantId: string, text: string) => Promise<string>

/** Where a page is shown, and the values of the parameters in its path. */
export interface DataVisit extends SiteVisit {
  readonly params: Readonly<Record<string, string>>
}
/** What a visitor typed into a form. */
export interface FormState {
  readonly name: string
  /** Undefined for a new form. */
  readonly input: Readonly<Record<string, string>> | undefined
  /** Why the row was not created. */
  readonly refusal: Problem | undefined
  /** Results of the page's queries; undefined before they are read. */
  readonly data: Readonly<Record<string, unknown>> | undefined
}
/** Runs the queries and forms in the front matter of page templates, as the visitor. */
export interface PageData {
  /** Throws `not_found` if a query for one row finds none. */
  load(query: unknown, visit: DataVisit): Promise<unknown>
  /**
   * Returns what the template shows of a form, such as `mayCreate`, and `isOpen` if the workspace of the row isn't that of
   * the visitor.
   */
  form(form: unknown, visit: DataVisit, state: FormState): Promise<Readonly<Record<string, unknown>>>
  /**
   * The task that a visitor's computer has to solve before the form is sent; null if there is none.
   * @param data the results of the page's queries.
   */
  challenge(form: unknown, visit: DataVisit, data: Readonly<Record<string, unknown>>): Promise<ProofChallenge | null>
  /**
   * Creates the row of a form. Throws a Problem if its values or the rights of the visitor don't allow it.
   * @param given the inputs, the results of the queries of the page, and the solution of the task.
   */
  submit(
    form: unknown,
    visit: DataVisit,
    given: {
      readonly input: Readonly<Record<string, string>>
      readonly data: Readonly<Record<string, unknown>>
      readonly proof: string | undefined
    },
  ): Promise<void>
}

/** A metric of a module. Its values are read for each scrape. */
export interface MetricSource {
  /** `larder_…`; the names of counters end in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  /**
   * Whether the values are those of this process, in memory. Others are those of the installation: each process reads the
   * same ones from the database, a few metrics at a time, and leaves out those that it can't read within 2 s.
   */
  readonly perProcess?: boolean
  /** Labels must have few values: never a tenant, user or address. */
  read(): Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]>
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** Written to the log only. */
  readonly error?: unknown
}

/** The ports of the service, and what it has read of the registry and the recipe. */
export interface HttpOptions extends Omit<HttpDeps, 'settings' | 'registry' | 'process' | 'bus'> {
  readonly settings: Pick<Settings, 'trustProxy' | 'rateLimits' | 'production' | 'metricsToken' | 'shutdownDelayMs'> &
    Partial<Pick<Settings, 'metricsPort'>> & {
      /** Declared by the service of telemetry. */
      readonly trustTraceparent?: boolean
    }
  readonly bus: UntypedBus
  readonly pageData?: PageData | undefined
  readonly renderMarkdown?: RenderMarkdown | undefined
  readonly modules: readonly MountedModule[]
  /** Readiness checks, the database first. */
  readonly checks: () => Promise<readonly CheckResult[]>
  readonly version: string
  /** Whether `/docs` and the OpenAPI document are public. True by default. */
  readonly docs?: boolean
  readonly openapiParts?: readonly OpenApiPart[]
  readonly metrics?: readonly MetricSource[]
  /** Limits that the recipe overrides, by name: points per window in milliseconds. */
  readonly rateLimits?: Readonly<Record<string, { readonly points: number; readonly window: number }>>
}

/** One endpoint, for tests and the OpenAPI document. */
export interface Endpoint {
  readonly kind: 'route' | 'raw' | 'page' | 'socket' | 'express' | 'kernel'
  readonly module: string
  /** Upper case; `*` for an Express application, which answers any method. */
  readonly method: string
  /** The full path: `/v1/forms/:id`. */
  readonly path: string
  readonly allow: readonly string[]
  readonly apiKeys: boolean
  readonly route?: AnyRoute
  /** Raw routes have them. */
  readonly docs?: RawDocs
  /** The declaration of a socket. */
  readonly socket?: AnySocket
  readonly summary?: string
  readonly operationId?: string
}

export interface Http {
  readonly server: Server
  /** The base URL; empty before `listen`. */
  readonly url: string
  /** Metrics of this process. Services and modules add their own. */
  readonly registry: Registry
  readonly responseTimes: Pick<ResponseTimes, 'percentiles'>
  /** A server that outlives this one passes requests here: `larder dev` swaps kernels behind one port. */
  handle(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Port 0 selects a free one. */
  listen(port: number, host: string): Promise<{ port: number }>
  /** The base URL of the port for monitoring; undefined before `listenForMonitoring`. */
  readonly monitoringUrl: string | undefined
  /** Serves health checks and metrics on a port of their own, until `close`. A second call does nothing. */
  listenForMonitoring(port: number, host: string): Promise<void>
  /**
   * Fails readiness, stops accepting connections after `shutdownDelayMs`, and then drains sockets and finishes requests in
   * progress, within 10 s.
   */
  drain(): Promise<void>
  /** Releases timers, subscriptions and connections. */
  close(): Promise<void>
  endpoints(): readonly Endpoint[]
  /** The OpenAPI 3.1 document of the mounted endpoints. */
  openapi(): Readonly<Record<string, unknown>>
  /** The AsyncAPI 3.0 document of the mounted sockets. */
  asyncapi(): Readonly<Record<string, unknown>>
  /** Problems that routes have returned although they don't document them: `POST /v1/forms: form_full`. */
  undeclaredProblems(): readonly string[]
  /**
   * Fields that handlers have returned although the reply schema of the status doesn't have them: `GET /v1/forms 200: email`.
   * Empty in production.
   */
  undeclaredFields(): readonly string[]
}
