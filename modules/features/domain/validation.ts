/** What is wrong with a flag that its schema cannot say. Pure. */
import type { Definition } from './flag.ts'
import { typeOf } from './value.ts'

export interface Fault {
  readonly place: readonly (string | number)[]
  readonly code: string
  /** The end of a sentence that begins with the field. */
  readonly detail: string
}
type Definitions = (key: string) => Definition | undefined

/** @param find every flag that this one may require, as it will be. */
export function faultsOf(key: string, flag: Definition, find: Definitions): Fault[] {
  return [...ownFaults(flag), ...requiresFaults(key, flag, find)]
}

function* ownFaults({ default: standard, rules, entitlement }: Definition): Generator<Fault> {
  const type = typeOf(standard)
  for (const [index, { value }] of rules.entries())
    if (typeOf(value) !== type)
      yield {
        place: ['rules', index, 'value'],
        code: 'wrong_type',
        detail: `must be of the type of the default: ${type}`,
      }
  if (entitlement !== null && standard === true)
    yield {
      place: ['default'],
      code: 'not_allowed',
      detail: 'must be false: who lacks the entitlement gets the default',
    }
}

function* requiresFaults(key: string, flag: Definition, find: Definitions): Generator<Fault> {
  const seen = new Set<string>()
  for (const [index, required] of flag.requires.entries()) {
    const fault = (code: string, detail: string): Fault => ({ place: ['requires', index], code, detail })
    const other = required.key === key ? flag : find(required.key)
    const way = other && circle(key, required.key, find)
    if (seen.has(required.key)) yield fault('not_allowed', `names ${required.key} twice`)
    else if (!other) yield fault('not_found', `names no feature: ${required.key}`)
    else if (way) yield fault('circle', `leads round in a circle: ${[key, ...way].join(' → ')}`)
    else if (typeOf(other.default) !== typeOf(required.value))
      yield fault('wrong_type', `must name a ${typeOf(other.default)}, as ${required.key} is one`)
    seen.add(required.key)
  }
}

/** The way from `from` back to `key`, where there is one. */
function circle(key: string, from: string, find: Definitions): string[] | undefined {
  const visited = new Set<string>()
  const walk = (at: string): string[] | undefined => {
    if (at === key) return [at]
    if (visited.has(at)) return undefined
    visited.add(at)
    for (const { key: next } of find(at)?.requires ?? []) {
      const rest = walk(next)
      if (rest) return [at, ...rest]
    }
    return undefined
  }
  return walk(from)
}
