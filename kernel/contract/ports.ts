/** The ports that the kernel itself gives: types only. A module asks for them in `needs` like for any other. */
import type { Logger } from 'pino'
import type { Clock, Secrets } from '../base/index.ts'
import type { AccessCatalogue, Usage } from './ports/access.ts'
import type { Database, Models, SystemDatabase } from './ports/database.ts'
import type { Inspector } from './ports/inspector.ts'
import type { MailTemplates } from './ports/templates.ts'
import type { TenantDeletion } from './ports/tenant-deletion.ts'
import type { Bus, EventPublisher, JobQueue } from './ports/work.ts'

export type * from './ports/access.ts'
export type * from './ports/database.ts'
export type * from './ports/inspector.ts'
export type * from './ports/templates.ts'
export type * from './ports/tenant-deletion.ts'
export type * from './ports/work.ts'
export type { Clock, Secrets }

/** What the recipe says of the product, and where it is reached. */
export interface Product {
  readonly key: string
  readonly name: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  readonly theme: { readonly name: string; readonly tokens: Readonly<Record<string, string>> }
  readonly production: boolean
}

/** The tenant that the operator of this installation owns. */
export interface Operator {
  readonly tenantId: string
}

/** Where this installation keeps files of its own: LARDER_DATA. A module makes a folder of its own inside. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
}

/** What the setting SMTP_URL says: the server that takes mail, where the recipe names none. */
export interface MailServer {
  /** `smtp://user:password@host:port`; undefined where none is set. */
  readonly url: string | undefined
}

export interface KernelPorts<Events, Jobs, Channels> {
  database: Database
  systemDatabase: SystemDatabase
  models: Models
  events: EventPublisher<Events>
  jobs: JobQueue<Jobs>
  bus: Bus<Channels>
  clock: Clock
  secrets: Secrets
  log: Logger
  product: Product
  operator: Operator
  dataFolder: DataFolder
  mailServer: MailServer
  mailTemplates: MailTemplates
  access: AccessCatalogue
  tenantDeletion: TenantDeletion
  usage: Usage
  inspector: Inspector
}
