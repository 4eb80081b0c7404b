/** The port of the HTTP service, its settings, and the registration that it adds to modules. */

import type { Caller, RequestFacts } from '@larder-dev/larder/kernel'
import type { Statistic } from './monitoring/statistic.ts'
import type {
  ClientHelper,
  Http,
  MetricSource,
  MountedHandler,
  OpenApiPart,
  PageData,
  RenderMarkdown,
} from './types.ts'

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    http: Http
  }
  interface Settings {
    readonly port: number
    readonly host: string
    /** Port of health checks and `/metrics`, which is then not on `port`. */
    readonly metricsPort: number | undefined
    /** Number of trusted proxies that append to X-Forwarded-For. */
    readonly trustProxy: number
    readonly rateLimits: boolean
    /** Bearer token for `/metrics` from other hosts. */
    readonly metricsToken: string | undefined
    /** How long a process that stops still accepts connections, in milliseconds. */
    readonly shutdownDelayMs: number
  }
  interface Registrations {
    /** An Express router, application or middleware, mounted below `/x/<module>`. */
    express: MountedHandler
    /** Adds to the OpenAPI document what routes can't describe: requests that the product sends. */
    openapi: OpenApiPart
    /** Helpers of the client that `larder client` generates. */
    client: readonly ClientHelper[]
    /** TypeScript that `larder types` adds to its output: exported declarations. */
    types: readonly string[]
    /** Metrics at `/metrics` beside those of the HTTP service. */
    metrics: readonly MetricSource[]
    /** Numbers per day or hour, for charts. */
    statistics: readonly Statistic[]
    /** Reads what the front matter of a page template requests under `data`. At most one module registers it. */
    pageData: PageData
    /** Renders Markdown that a page template inserts with `{{markdown text}}`. At most one module registers it. */
    renderMarkdown: RenderMarkdown
  }
}

declare global {
  namespace Express {
    /** Set before raw routes and mounted routers run. */
    interface Request {
      caller?: Caller | undefined
      tenantId?: string | undefined
      requestContext: RequestFacts
    }
  }
}
