/** Mistakes between the private services of a module, found before anything is created. */
import { closest } from 'fastest-levenshtein'
import { placeholder, type WiringProblem } from '../recipe/index.ts'
import { factoryOf, type LoadedEntry } from './factories.ts'

type Invoke = (entry: LoadedEntry, factory: (...given: never[]) => unknown, view: object) => unknown

/**
 * Returns the circles, unknown names and ambiguous names of the definition's private services. Each factory runs with
 * placeholder dependencies, which record what it reads: factories only assemble, and one that needs more of a dependency
 * throws after it has read it. Definitions without private services aren't examined.
 */
export function serviceWiringProblems(entry: LoadedEntry, invoke: Invoke): WiringProblem[] {
  const { key, module } = entry
  const services = Object.keys(module.services ?? {})
  if (services.length === 0) return []
  const provided = Object.keys(module.provides ?? {})
  const ports = [...(module.needs ?? []), ...(module.optional ?? [])]
  const known = [...new Set([...ports, ...services, ...provided])]
  const problems: WiringProblem[] = [...ports, ...provided]
    .filter(name => services.includes(name))
    .map(name => ({
      code: 'duplicate_name',
      key,
      message: `"${name}" of "${key}" is both a private service and a port`,
      fix: 'Rename the private service',
    }))
  const reads = new Map<string, readonly string[]>()
  for (const [name, provider] of Object.entries({ ...module.services, ...module.provides })) {
    const read = readsOf(view => invoke(entry, factoryOf(provider), view), known)
    reads.set(name, read)
    for (const unknown of read.filter(name => !known.includes(name)))
      problems.push({
        code: 'unknown_dependency',
        key,
        message: `"${name}" of "${key}" needs "${unknown}", which is neither a declared port nor a private service of the module`,
        fix: `Did you mean "${closest(unknown, known)}"?`,
      })
  }
  return [...problems, ...circles(key, reads)]
}

/** The names that the factory reads from its dependencies while it runs. */
function readsOf(create: (view: object) => unknown, known: readonly string[]): string[] {
  const read = new Set<string>()
  let running = true
  const view = new Proxy(Object.fromEntries(known.map(name => [name, undefined])), {
    get(_, name) {
      if (running && typeof name === 'string') read.add(name)
      return placeholder()
    },
  })
  try {
    create(view)
  } catch {
    // It needs more than placeholders. What it has read until here counts.
  }
  running = false
  return [...read]
}

/** Each circle once, from the name that is declared first. */
function circles(key: string, reads: ReadonlyMap<string, readonly string[]>): WiringProblem[] {
  const problems: WiringProblem[] = []
  const done = new Set<string>()
  const visit = (name: string, open: readonly string[]): void => {
    const from = open.indexOf(name)
    if (from >= 0)
      problems.push({
        code: 'circular_services',
        key,
        message: `Private services of "${key}" need each other: ${[...open.slice(from), name].join(' → ')}`,
        fix: 'Move what they share to a service that both need',
      })
    if (done.has(name)) return
    done.add(name)
    for (const next of reads.get(name) ?? []) visit(next, [...open, name])
  }
  for (const name of reads.keys()) visit(name, [])
  return problems
}
