/** Ports of the kernel and of the core services. A definition lists them in `needs` like any other. */
import type { Logger } from 'pino'
import type { Clock, Secrets } from '../base/index.ts'
import type { Channels, Events, Jobs } from './merged.ts'
import type { AccessCatalogue, Usage } from './ports/access.ts'
import type { Database, SystemDatabase } from './ports/database.ts'
import type { Inspector } from './ports/inspector.ts'
import type { Migrations } from './ports/migrations.ts'
import type { DataFolder, Operator, Product, Settings } from './ports/product.ts'
import type { ProviderInboxes } from './ports/provider-inbox.ts'
import type { Realtime } from './ports/realtime.ts'
import type { ProcessInfo, Registry } from './ports/registry.ts'
import type { MailTemplates } from './ports/templates.ts'
import type { Bus, EventPublisher, JobQueue } from './ports/work.ts'
import type { WorkerPool } from './ports/worker-pool.ts'

export type * from './ports/access.ts'
export type * from './ports/database.ts'
export type * from './ports/inspector.ts'
export type * from './ports/migrations.ts'
export type * from './ports/product.ts'
export type * from './ports/provider-inbox.ts'
export type * from './ports/realtime.ts'
export type * from './ports/registry.ts'
export type * from './ports/templates.ts'
export type * from './ports/work.ts'
export type * from './ports/worker-pool.ts'
export type { Clock, Secrets }

/** The ports of the kernel and of the core services. */
export interface KernelPorts {
  database: Database
  systemDatabase: SystemDatabase
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
  realtime: Realtime
  workerPool: WorkerPool
}

declare module './merged.ts' {
  interface Ports extends KernelPorts {}
}
