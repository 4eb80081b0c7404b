/** The administrator's view of modules and of pending work. */

import {
  type AccessCatalogue,
  type AppliedMigrations,
  eventVersion,
  handlerKey,
  type Inspector,
  type ModuleReport,
  type Ports,
  type ProcessInfo,
  type RunningModule,
} from '../contract/index.ts'
import type { FailedModule, RecipeModule } from '../recipe/index.ts'

export interface InspectorSources {
  readonly version: string
  readonly role: ProcessInfo['role']
  readonly startedAt: Date
  /** With secrets masked. */
  readonly recipe: unknown
  readonly modules: readonly RecipeModule[]
  /** Options of a module, with secrets masked. */
  maskedOptions(key: string): unknown
  readonly access: AccessCatalogue
  /** A registration in the scope of the module. */
  registration(key: string, kind: string): unknown
  running(): readonly RunningModule[]
  failed(): readonly FailedModule[]
  migrations(): AppliedMigrations
  port<P extends 'eventInspector' | 'jobInspector' | 'mailTemplates'>(name: P): Ports[P] | undefined
}

export function createInspector(sources: InspectorSources): Inspector {
  return {
    modules: () => {
      const failed = new Map(sources.failed().map(({ key, reason }) => [key, reason]))
      const known = sources.modules.map(entry => report(entry, sources, failed.get(entry.key)))
      const unloaded = [...failed].filter(([key]) => !sources.modules.some(entry => entry.key === key))
      return [...known, ...unloaded.map(([key, reason]) => failedReport(key, reason))]
    },
    recipe: () => sources.recipe,
    info: () => ({
      version: sources.version,
      startedAt: sources.startedAt.toISOString(),
      role: sources.role,
      node: process.version,
    }),
    get events() {
      return provided(sources, 'eventInspector')
    },
    get jobs() {
      return provided(sources, 'jobInspector')
    },
    queue: () => provided(sources, 'eventInspector').queue(),
  }
}

function report(entry: RecipeModule, sources: InspectorSources, reason: string | undefined): ModuleReport {
  const { module } = entry
  const running = sources.running().find(({ key }) => key === entry.key)
  const events = (sources.registration(entry.key, 'events') ?? {}) as NonNullable<RecipeModule['module']['events']>
  return {
    name: entry.key,
    version: module.version ?? sources.version,
    summary: module.summary ?? '',
    ...(reason ? { state: 'failed', reason } : { state: 'running' }),
    source: entry.source,
    needs: module.needs ?? [],
    optional: module.optional ?? [],
    provides: Object.keys(module.provides ?? {}),
    routes: [
      ...(running?.routes ?? []).map(route => describeRoute(route, '/v1')),
      ...(running?.rawRoutes ?? []).map(route => describeRoute(route)),
    ],
    sockets: (running?.sockets ?? []).map(({ path, allow }) => ({ path: `/v1${path}`, allow: [allow].flat() })),
    pages: (running?.pages ?? []).map(({ path, name, allow }) => ({ path, name, allow: [allow].flat() })),
    permissions: (sources.registration(entry.key, 'permissions') ?? []) as ModuleReport['permissions'],
    roles: sources.access.roles().filter(({ from }) => from === module.name),
    events: Object.entries(events).map(([type, schema]) => ({ type, version: eventVersion(schema) })),
    listeners: (running?.listeners ?? []).map(listener => ({
      event: listener.on,
      handler: handlerKey(entry.key, listener),
    })),
    jobs: (running?.jobs ?? []).map(({ name, every }) => ({ name, every: every ?? null })),
    mails: (sources.port('mailTemplates')?.list() ?? []).filter(({ source }) => source === entry.key),
    options: sources.maskedOptions(entry.key),
    migrations: (sources.migrations().get(entry.key) ?? []).map(({ name, appliedAt }) => ({
      name,
      appliedAt: appliedAt?.toISOString() ?? null,
    })),
  }
}

type RouteFacts = Pick<RunningModule['rawRoutes'][number], 'method' | 'path' | 'allow' | 'summary'>
const describeRoute = ({ method, path, allow, summary = '' }: RouteFacts, prefix = '') => ({
  method: method.toUpperCase(),
  path: `${prefix}${path}`,
  allow: [allow].flat(),
  summary,
})

function provided<P extends 'eventInspector' | 'jobInspector'>(sources: InspectorSources, name: P): Ports[P] {
  const port = sources.port(name)
  if (!port) throw new Error(`No service of this recipe provides the port '${name}'.`)
  return port as Ports[P]
}

const LISTS = [
  'needs',
  'optional',
  'provides',
  'routes',
  'sockets',
  'pages',
  'permissions',
  'roles',
  'events',
  'listeners',
  'jobs',
  'mails',
  'migrations',
] as const
const EMPTY = Object.fromEntries(LISTS.map(name => [name, []])) as unknown as Record<(typeof LISTS)[number], never[]>

function failedReport(name: string, reason: string): ModuleReport {
  return { name, version: '', summary: '', state: 'failed', reason, source: '', ...EMPTY, options: null }
}
