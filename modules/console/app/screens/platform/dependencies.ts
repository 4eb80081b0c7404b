/** How the modules of the installation depend on each other. Pure. */

/** What the graph uses of a module of `listModules`. */
export interface ModuleNode {
  readonly key: string
  readonly summary: string
  readonly state: 'running' | 'failed'
  readonly needs: readonly string[]
  readonly optional: readonly string[]
  readonly provides: readonly string[]
  readonly events: readonly { readonly type: string }[]
  readonly listeners: readonly { readonly event: string }[]
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
/** All relations of a kind between two modules. */
export interface DependencyEdge {
  readonly from: string
  readonly to: string
  /** `needs` if at least one port is required. */
  readonly kind: RelationKind
  readonly names: readonly string[]
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

export function edgesOf(relations: readonly Relation[]): DependencyEdge[] {
  const edges = new Map<string, DependencyEdge>()
  for (const { from, to, kind, name } of relations) {
    const id = `${from}\n${to}`
    const known = edges.get(id)
    edges.set(id, {
      from,
      to,
      kind: known?.kind === 'needs' ? 'needs' : kind,
      names: [...(known?.names ?? []), name],
    })
  }
  return [...edges.values()]
}

/** The modules at the other ends of the edges of a module. */
export const neighborsOf = (module: string, edges: readonly DependencyEdge[]) => ({
  uses: edges.filter(({ from }) => from === module).map(({ to }) => to),
  usedBy: edges.filter(({ to }) => to === module).map(({ from }) => from),
})

/** Of its page. */
export const modulePath = (key: string): string => `/platform/modules/${encodeURIComponent(key)}`
