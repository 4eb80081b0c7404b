/** The admin's view: what each module is and registered, and what waits in the database. */

import type { Inspector, ModuleReport } from '../contract/index.ts'
import type { FailedModule, RecipeModule } from '../recipe/index.ts'
import { permissionsOf, rolesOf } from '../recipe/index.ts'
import type { Member } from './registry.ts'

/** By module; without a time where nobody asked the database. */
export type KnownMigrations = ReadonlyMap<string, readonly { readonly name: string; readonly appliedAt: Date | null }[]>

export interface InspectorSources {
  readonly version: string
  readonly role: 'all' | 'web' | 'worker' | 'migrate' | 'tool'
  readonly startedAt: Date
  /** With secrets masked. */
  readonly recipe: unknown
  readonly modules: readonly RecipeModule[]
  /** Options of a module, with secrets masked. */
  masked(key: string): unknown
  members(): readonly Member[]
  failed(): readonly FailedModule[]
  migrations(): KnownMigrations
  mails(module: string): ModuleReport['mails']
  readonly events: Inspector['events']
  readonly jobs: Inspector['jobs']
  readonly queue: Inspector['queue']
}

export function createInspector(sources: InspectorSources): Inspector {
  return {
    modules: () => {
      const failed = new Map(sources.failed().map(({ key, reason }) => [key, reason]))
      const known = sources.modules.map(entry => report(entry, sources, failed.get(entry.key)))
      const unloaded = [...failed].filter(([key]) => !sources.modules.some(entry => entry.key === key))
      return [...known, ...unloaded.map(([key, reason]) => absent(key, reason))]
    },
    recipe: () => sources.recipe,
    info: () => ({
      version: sources.version,
      startedAt: sources.startedAt.toISOString(),
      role: sources.role,
      node: process.version,
    }),
    events: sources.events,
    jobs: sources.jobs,
    queue: sources.queue,
  }
}

function report(entry: RecipeModule, sources: InspectorSources, reason: string | undefined): ModuleReport {
  const { module } = entry
  const member = sources.members().find(({ key }) => key === entry.key)
  return {
    name: entry.key,
    version: module.version ?? sources.version,
    summary: module.summary ?? '',
    ...(reason ? { state: 'failed', reason } : { state: 'running' }),
    source: entry.source,
    needs: module.needs ?? [],
    optional: module.optional ?? [],
    provides: Object.keys(module.provides ?? {}),
    routes: [...(member?.routes ?? []).map(apiRoute), ...(member?.rawRoutes ?? []).map(describeRawRoute)],
    sockets: (member?.sockets ?? []).map(({ path, allow }) => ({ path, allow: [allow].flat() })),
    pages: (member?.pages ?? []).map(({ path, name, allow }) => ({ path, name, allow: [allow].flat() })),
    permissions: permissionsOf(module),
    roles: rolesOf(module),
    events: Object.keys(module.events ?? {}).map(type => ({ type, version: eventVersion(module.events?.[type]) })),
    listeners: (member?.listeners ?? []).map(listener => ({
      event: listener.on,
      handler: handlerKey(entry.key, listener),
    })),
    jobs: (member?.jobs ?? []).map(({ name, every }) => ({ name, every: every ?? null })),
    mails: sources.mails(entry.key),
    options: sources.masked(entry.key),
    migrations: (sources.migrations().get(entry.key) ?? []).map(({ name, appliedAt }) => ({
      name,
      appliedAt: appliedAt?.toISOString() ?? null,
    })),
  }
}

const apiRoute = (route: Member['routes'][number]) => ({
  method: route.method.toUpperCase(),
  path: `/v1${route.path}`,
  allow: [route.allow].flat(),
  summary: route.summary ?? '',
})
const describeRawRoute = (route: Member['rawRoutes'][number]) => ({
  method: route.method.toUpperCase(),
  path: route.path,
  allow: [route.allow].flat(),
  summary: route.summary ?? '',
})

/** `<module>:<event>`, and `#name` where a module listens twice: stands in the deliveries table, so it never changes. */
export const handlerKey = (module: string, listener: { on: string; as?: string }): string =>
  `${module}:${listener.on}${listener.as ? `#${listener.as}` : ''}`

/** A payload schema may carry `version`; 1 otherwise. */
export const eventVersion = (schema: unknown): number => (schema as { version?: number } | undefined)?.version ?? 1

function absent(name: string, reason: string): ModuleReport {
  return {
    name,
    version: '',
    summary: '',
    state: 'failed',
    reason,
    source: '',
    needs: [],
    optional: [],
    provides: [],
    routes: [],
    sockets: [],
    pages: [],
    permissions: [],
    roles: [],
    events: [],
    listeners: [],
    jobs: [],
    mails: [],
    options: null,
    migrations: [],
  }
}
