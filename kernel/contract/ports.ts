/** The ports that the kernel itself gives: types only. A module asks for them in `needs` like for any other. */
import type { Logger } from 'pino'
import type { Clock, Secrets } from '../base/index.ts'
import type { AccessCatalogue, Usage } from './ports/access.ts'
import type { Database, Models, SystemDatabase } from './ports/database.ts'
import type { Inspector } from './ports/inspector.ts'
import type { Migrations } from './ports/migrations.ts'
import type { ProviderInboxes } from './ports/provider-inbox.ts'
import type { ProcessInfo, Registry } from './ports/registry.ts'
import type { MailTemplates } from './ports/templates.ts'
import type { Bus, EventPublisher, JobQueue } from './ports/work.ts'

export type * from './ports/access.ts'
export type * from './ports/database.ts'
export type * from './ports/inspector.ts'
export type * from './ports/migrations.ts'
export type * from './ports/provider-inbox.ts'
export type * from './ports/registry.ts'
export type * from './ports/templates.ts'
export type * from './ports/work.ts'
export type { Clock, Secrets }

/** What the recipe says of the product, and where it is reached. */
export interface Product {
  readonly key: string
  readonly name: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly locales: { readonly default: string; readonly available: readonly string[] }
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

/** Values of the environment variables that the kernel reads. Services and modules add theirs by declaration merging. */
export interface Settings {
  /** Overrides the recipe's `product.publicUrl`. */
  readonly publicUrl: string | undefined
  /** Absolute. */
  readonly dataDir: string
  /** Path of the recipe, if the environment names one. */
  readonly recipe: string | undefined
  /** Newest first; empty if the secret is kept in `dataDir`. */
  readonly secrets: readonly string[]
  readonly production: boolean
  readonly logLevel: string
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
  mailTemplates: MailTemplates
  access: AccessCatalogue
  usage: Usage
  inspector: Inspector
  registry: Registry
  settings: Settings
  process: ProcessInfo
  migrations: Migrations
  eventInspector: Inspector['events'] & Pick<Inspector, 'queue'>
  jobInspector: Inspector['jobs']
  providerInbox: ProviderInboxes
}
