/** How modules fit together: who gives which port, in which order they are made, and every reason why they cannot be. */

import { closest } from 'fastest-levenshtein'
import { covers } from '../base/index.ts'
import type { Definition, Ports } from '../contract/index.ts'
import type { DiagnosticCode } from './diagnostic.ts'

/** A module as the recipe names it. */
export interface NamedModule {
  readonly key: string
  readonly module: Definition
}
export interface RecipeRole {
  readonly name: string
  readonly permissions: readonly string[]
}
export interface WiringProblem {
  readonly code: DiagnosticCode
  /** Key under `modules` of the recipe. */
  readonly key: string
  readonly message: string
  /** What would be right. */
  readonly fix?: string
}

/** Ports that the kernel itself provides. */
export const KERNEL_PORTS = [
  'access',
  'clock',
  'dataFolder',
  'inspector',
  'log',
  'process',
  'product',
  'registry',
  'secrets',
  'settings',
  'usage',
] as const satisfies readonly (keyof Ports)[]

/**
 * Every reason why these modules cannot run together; empty when they can.
 * @param others modules that the recipe does not name: used to say which of them would give a missing port.
 */
export function wiringProblems(entries: readonly NamedModule[], others: readonly NamedModule[] = []): WiringProblem[] {
  const problems: WiringProblem[] = []
  const givers = portGivers(entries, problems)
  for (const { key, module } of entries) {
    if (module.name !== key)
      problems.push({
        code: 'name_mismatch',
        key,
        message: `the module calls itself '${module.name}'`,
        fix: `name it ${module.name} in the recipe`,
      })
    for (const port of module.needs ?? []) if (!givers.has(port)) problems.push(missingPort(key, port, givers, others))
  }
  problems.push(...circles(entries, givers), ...declaredTwice(entries), ...unknownGrants(entries))
  return problems
}

function portGivers(entries: readonly NamedModule[], problems: WiringProblem[]): Map<string, string> {
  const givers = new Map<string, string>(KERNEL_PORTS.map(port => [port, 'the kernel']))
  for (const { key, module } of entries)
    for (const port of Object.keys(module.provides ?? {})) {
      const other = givers.get(port)
      if (other)
        problems.push({
          code: 'duplicate_port',
          key,
          message: `port '${port}' is provided by both ${other === 'the kernel' ? other : `'${other}'`} and '${key}'`,
          fix: 'take one of the two out of the recipe',
        })
      else givers.set(port, key)
    }
  return givers
}

function missingPort(
  key: string,
  port: string,
  givers: ReadonlyMap<string, string>,
  others: readonly NamedModule[],
): WiringProblem {
  const giver = others.find(other => port in (other.module.provides ?? {}))
  const near = closest(port, [...givers.keys()])
  return {
    code: 'missing_port',
    key,
    message: `'${key}' needs the port '${port}', which no service or module of this recipe provides`,
    fix: giver ? `add '${giver.key}: {}' to modules: it provides '${port}'` : `did you mean '${near}'?`,
  }
}

/** Modules in the order in which they are made: each after those whose ports it needs or wants. */
export function inOrder<E extends NamedModule>(entries: readonly E[]): E[] {
  const givers = new Map(entries.flatMap(e => Object.keys(e.module.provides ?? {}).map(port => [port, e] as const)))
  const done: E[] = []
  const visit = (entry: E, open: readonly E[]): void => {
    if (done.includes(entry) || open.includes(entry)) return
    for (const giver of giversOf(entry, givers)) visit(giver, [...open, entry])
    done.push(entry)
  }
  for (const entry of entries) visit(entry, [])
  return done
}

function giversOf<E extends NamedModule>({ module }: E, givers: ReadonlyMap<string, E>): E[] {
  return [...(module.needs ?? []), ...(module.optional ?? [])]
    .map(port => givers.get(port))
    .filter(found => found !== undefined)
}

function circles(entries: readonly NamedModule[], names: ReadonlyMap<string, string>): WiringProblem[] {
  const byKey = new Map(entries.map(entry => [entry.key, entry]))
  const givers = new Map(
    [...names].flatMap(([port, key]) => (byKey.has(key) ? [[port, byKey.get(key) as NamedModule]] : [])),
  )
  const found = new Map<string, WiringProblem>()
  const visit = (entry: NamedModule, open: readonly string[]): void => {
    const from = open.indexOf(entry.key)
    if (from >= 0) {
      const ring = open.slice(from)
      const first = [...ring].sort()[0] as string
      const message = `modules need each other in a circle: ${[...ring, entry.key].join(' → ')}`
      const name = [...ring].sort().join()
      if (!found.has(name))
        found.set(name, {
          code: 'circular_ports',
          key: first,
          message,
          fix: 'tell by an event where asking through a port is not needed',
        })
      return
    }
    for (const giver of giversOf(entry, givers)) visit(giver, [...open, entry.key])
  }
  for (const entry of entries) visit(entry, [])
  return [...found.values()]
}

/** Names that only one module may declare. */
function declaredTwice(entries: readonly NamedModule[]): WiringProblem[] {
  const kinds = {
    permission: (m: Definition) => Object.keys(m.permissions ?? {}),
    role: (m: Definition) => Object.keys(m.roles ?? {}),
    event: (m: Definition) => Object.keys(m.events ?? {}),
    'recipe section': (m: Definition) => Object.keys(m.sections ?? {}),
    'usage count': (m: Definition) => Object.keys(m.usage ?? {}),
    problem: (m: Definition) => Object.keys(m.problems ?? {}),
  }
  const problems: WiringProblem[] = []
  for (const [kind, names] of Object.entries(kinds)) {
    const owner = new Map<string, string>()
    for (const { key, module } of entries)
      for (const name of names(module)) {
        const other = owner.get(name)
        if (other)
          problems.push({
            code: 'duplicate_name',
            key,
            message: `${kind} '${name}' is declared by both '${other}' and '${key}'`,
          })
        else owner.set(name, key)
      }
  }
  return problems
}

function unknownGrants(entries: readonly NamedModule[]): WiringProblem[] {
  const known = entries.flatMap(({ module }) => Object.keys(module.permissions ?? {}))
  return entries.flatMap(({ key, module }) =>
    Object.entries(module.roles ?? {}).flatMap(([role, { permissions }]) =>
      permissions
        .filter(pattern => !known.some(permission => covers(pattern, permission)))
        .map(pattern => ({ key, ...unknownPermission(role, pattern, known) })),
    ),
  )
}

/** For roles of modules and of the recipe alike. */
export function unknownPermission(role: string, pattern: string, known: readonly string[]): Omit<WiringProblem, 'key'> {
  const near = known.length > 0 ? closest(pattern, [...known]) : undefined
  return {
    code: 'unknown_permission',
    message: `role '${role}' names the permission '${pattern}', which no module of this recipe has`,
    ...(near && { fix: `did you mean '${near}'?` }),
  }
}
