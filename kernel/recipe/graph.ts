/** The dependency graph of services and modules: which provides which port, their order, and errors. */

import { closest } from 'fastest-levenshtein'
import { covers, permissionHint } from '../base/index.ts'
import type { Definition, Ports } from '../contract/index.ts'
import type { KernelDiagnosticCode } from './diagnostic.ts'

/** A module as the recipe names it. */
export interface NamedModule {
  readonly key: string
  readonly module: Definition
}
export interface WiringProblem {
  readonly code: KernelDiagnosticCode
  /** Key under `modules` of the recipe. */
  readonly key: string
  readonly message: string
  /** How to fix it. */
  readonly fix?: string
}

const KERNEL = 'the kernel'

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
 * Returns the conflicts and missing ports of these modules.
 * @param others modules outside the recipe, to suggest one that provides a missing port.
 */
export function wiringProblems(entries: readonly NamedModule[], others: readonly NamedModule[] = []): WiringProblem[] {
  const problems: WiringProblem[] = []
  const providers = portProviders(entries, problems)
  for (const { key, module } of entries) {
    if (module.name !== key)
      problems.push({
        code: 'name_mismatch',
        key,
        message: `Key "${key}" does not match the module's name, "${module.name}"`,
        fix: `Rename the key to ${module.name}`,
      })
    for (const port of module.needs ?? [])
      if (!providers.has(port)) problems.push(missingPort(key, port, providers, others))
  }
  problems.push(...cycles(entries, providers), ...duplicateNames(entries), ...unknownGrants(entries))
  return problems
}

function portProviders(entries: readonly NamedModule[], problems: WiringProblem[]): Map<string, string> {
  const providers = new Map<string, string>(KERNEL_PORTS.map(port => [port, KERNEL]))
  for (const { key, module } of entries)
    for (const port of Object.keys(module.provides ?? {})) {
      const other = providers.get(port)
      if (other)
        problems.push({
          code: 'duplicate_port',
          key,
          message: `Port "${port}" is provided by both ${other === KERNEL ? 'the kernel' : `"${other}"`} and "${key}"`,
          fix: 'Remove one of them from the recipe',
        })
      else providers.set(port, key)
    }
  return providers
}

function missingPort(
  key: string,
  port: string,
  providers: ReadonlyMap<string, string>,
  others: readonly NamedModule[],
): WiringProblem {
  const provider = others.find(other => port in (other.module.provides ?? {}))
  const near = closest(port, [...providers.keys()])
  return {
    code: 'missing_port',
    key,
    message: `"${key}" needs port "${port}", but no service or module of this recipe provides it`,
    fix: provider ? `Add ${provider.key}: {} to modules` : `Did you mean "${near}"?`,
  }
}

/** Sorts modules so that each follows the providers of its needs and optional ports. */
export function inOrder<E extends NamedModule>(entries: readonly E[]): E[] {
  const providers = new Map(entries.flatMap(e => Object.keys(e.module.provides ?? {}).map(port => [port, e] as const)))
  const done: E[] = []
  const visit = (entry: E, open: readonly E[]): void => {
    if (done.includes(entry) || open.includes(entry)) return
    for (const provider of providersOf(entry, providers)) visit(provider, [...open, entry])
    done.push(entry)
  }
  for (const entry of entries) visit(entry, [])
  return done
}

function providersOf<E extends NamedModule>({ module }: E, providers: ReadonlyMap<string, E>): E[] {
  return [...(module.needs ?? []), ...(module.optional ?? [])]
    .map(port => providers.get(port))
    .filter(found => found !== undefined)
}

function cycles(entries: readonly NamedModule[], names: ReadonlyMap<string, string>): WiringProblem[] {
  const byKey = new Map(entries.map(entry => [entry.key, entry]))
  const providers = new Map(
    [...names].flatMap(([port, key]) => (byKey.has(key) ? [[port, byKey.get(key) as NamedModule]] : [])),
  )
  const found = new Map<string, WiringProblem>()
  const visit = (entry: NamedModule, open: readonly string[]): void => {
    const from = open.indexOf(entry.key)
    if (from >= 0) {
      const cycle = open.slice(from)
      const sorted = [...cycle].sort()
      const name = sorted.join()
      if (!found.has(name))
        found.set(name, {
          code: 'circular_ports',
          key: sorted[0] as string,
          message: `Circular dependency: ${[...cycle, entry.key].join(' → ')}`,
          fix: 'Replace one of these ports with an event',
        })
      return
    }
    for (const provider of providersOf(entry, providers)) visit(provider, [...open, entry.key])
  }
  for (const entry of entries) visit(entry, [])
  return [...found.values()]
}

/** Names that several modules declare. */
function duplicateNames(entries: readonly NamedModule[]): WiringProblem[] {
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
            message: `Duplicate ${kind} "${name}": declared by both "${other}" and "${key}"`,
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

/** The problem of a role of a module or of the recipe. */
export function unknownPermission(role: string, pattern: string, known: readonly string[]): Omit<WiringProblem, 'key'> {
  const fix = permissionHint(pattern, known)
  return {
    code: 'unknown_permission',
    message: `Unknown permission "${pattern}" in role "${role}"`,
    ...(fix !== undefined && { fix }),
  }
}
