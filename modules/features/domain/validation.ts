/** Checks of a flag's definition that its schema can't express. Pure. */
import { type Wording, wording } from '@larder-dev/larder/kernel'
import type { Definition } from './flag.ts'
import { typeOf } from './value.ts'

export interface DefinitionError {
  readonly path: readonly (string | number)[]
  readonly code: string
  /** The end of a sentence that begins with the field. */
  readonly detail: Wording
}
type FindDefinition = (key: string) => Definition | undefined

/** @param find the definitions that the flag may require, as they will be after the change. */
export function validateDefinition(key: string, flag: Definition, find: FindDefinition): DefinitionError[] {
  return [...valueErrors(flag), ...prerequisiteErrors(key, flag, find)]
}

function* valueErrors({ default: standard, rules, entitlement }: Definition): Generator<DefinitionError> {
  const type = typeOf(standard)
  for (const [index, { value }] of rules.entries())
    if (typeOf(value) !== type)
      yield {
        path: ['rules', index, 'value'],
        code: 'wrong_type',
        detail: wording('must have the type of the default: {type}', { type }),
      }
  if (entitlement !== null && standard === true)
    yield {
      path: ['default'],
      code: 'not_allowed',
      detail: wording('must be false: tenants without the entitlement get the default'),
    }
}

function* prerequisiteErrors(key: string, flag: Definition, find: FindDefinition): Generator<DefinitionError> {
  const seen = new Set<string>()
  for (const [index, required] of flag.requires.entries()) {
    const error = (code: string, detail: Wording): DefinitionError => ({ path: ['requires', index], code, detail })
    const other = required.key === key ? flag : find(required.key)
    const cycle = other && findCycle(key, required.key, find)
    if (seen.has(required.key)) yield error('not_allowed', wording('lists {key} twice', { key: required.key }))
    else if (!other) yield error('not_found', wording('lists an unknown feature: {key}', { key: required.key }))
    else if (cycle) yield error('cycle', wording('creates a cycle: {cycle}', { cycle: [key, ...cycle].join(' → ') }))
    else if (typeOf(other.default) !== typeOf(required.value))
      yield error(
        'wrong_type',
        wording('must require a {type}, the type of {key}', { type: typeOf(other.default), key: required.key }),
      )
    seen.add(required.key)
  }
}

/** The path from `from` back to `key`, if there is one. */
function findCycle(key: string, from: string, find: FindDefinition): string[] | undefined {
  const visited = new Set<string>()
  const visit = (current: string): string[] | undefined => {
    if (current === key) return [current]
    if (visited.has(current)) return undefined
    visited.add(current)
    for (const { key: next } of find(current)?.requires ?? []) {
      const rest = visit(next)
      if (rest) return [current, ...rest]
    }
    return undefined
  }
  return visit(from)
}
