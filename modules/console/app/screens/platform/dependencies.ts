/** How the modules of the installation depend on each other. Pure. */
import type { Api } from '@larder-dev/larder/console'

/** The fields of a module of `listModules` that the screen uses. */
export type ModuleNode = Pick<Api.ModuleDetails, 'key' | 'needs' | 'optional' | 'provides'> & {
  readonly events: readonly Pick<Api.ModuleEvent, 'type'>[]
  readonly listeners: readonly Pick<Api.ModuleListener, 'event'>[]
}
export type RelationKind = 'needs' | 'optional' | 'event'

/** One port that a module uses, or one event that it listens to. */
export interface Relation {
  readonly from: string
  readonly to: string
  readonly kind: RelationKind
  /** Name of the port or type of the event. */
  readonly name: string
}

/** Ports of other modules; the ports of core services are left out. */
export function portRelations(modules: readonly ModuleNode[]): Relation[] {
  const providers = new Map(modules.flatMap(({ key, provides }) => provides.map(port => [port, key] as const)))
  return modules.flatMap(({ key, needs, optional }) => [
    ...relationsOf(key, needs, 'needs', providers),
    ...relationsOf(key, optional, 'optional', providers),
  ])
}

/** Events of other modules. A module that listens twice has one relation. */
export function eventRelations(modules: readonly ModuleNode[]): Relation[] {
  const emitters = new Map(modules.flatMap(({ key, events }) => events.map(({ type }) => [type, key] as const)))
  return modules.flatMap(({ key, listeners }) => {
    const types = [...new Set(listeners.map(({ event }) => event))]
    return relationsOf(key, types, 'event', emitters)
  })
}

const relationsOf = (
  from: string,
  names: readonly string[],
  kind: RelationKind,
  owners: ReadonlyMap<string, string>,
): Relation[] =>
  names.toSorted().flatMap(name => {
    const to = owners.get(name)
    return to === undefined || to === from ? [] : [{ from, to, kind, name }]
  })

/** The path of its page. */
export const modulePath = (key: string): string => `/platform/modules/${encodeURIComponent(key)}`
