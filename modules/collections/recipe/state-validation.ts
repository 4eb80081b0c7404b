/** Reports mistakes in the states of an enum: `transitions`, `initial` and `roles`. */
import type { Field } from '../domain/declarations/collection.ts'
import type { DeclaredField } from '../domain/declarations/declaration.ts'
import { reachedStates, STATE_PATTERN } from '../domain/fields/states.ts'
import { type Known, type Path, suggest, validateRole } from './report.ts'

type FieldReport = (path: Path, code: string, message: string, hint?: string, at?: 'key' | 'value') => void

export function validateStates(field: Field, declared: DeclaredField, known: Known, report: FieldReport): void {
  if (!field.states) {
    for (const option of ['initial', 'roles'] as const)
      if (declared[option])
        report([option], 'invalid_option', `${option} needs transitions`, 'Add transitions, or remove it', 'key')
    return
  }
  const { name, values = [], writeOnce, unique } = field
  for (const [option, isSet] of Object.entries({ writeOnce, unique }))
    if (isSet)
      report([option], 'invalid_option', `A field with transitions can't have ${option}`, `Remove ${option}`, 'key')
  for (const [index, value] of values.entries())
    if (!STATE_PATTERN.test(value))
      report(
        ['values', index],
        'invalid_value',
        `"${value}" can't be part of the name of an event, as each state of "${name}" is`,
        'Use lower-case letters, digits and single underscores, and write words for people under labels',
      )
  if (field.states.initial.length === 0)
    report(
      ['transitions'],
      'invalid_option',
      `No new row could have a state, because "${name}" has neither a default nor initial`,
      `Add default: ${values[0] ?? ''}`,
      'key',
    )
  validateNames(field, declared, report)
  for (const [value, roles] of Object.entries(declared.roles ?? {}))
    for (const [index, role] of roles.entries())
      validateRole(role, ['roles', value, index], 'value', known, (path, code, message, hint, at) =>
        report(path, code, message, hint, at === 'key' ? 'key' : 'value'),
      )
}

/** The values that the three options name. */
function validateNames({ name, values = [] }: Field, declared: DeclaredField, report: FieldReport): void {
  const { transitions = {}, initial = [], roles = {} } = declared
  const check = (value: string, path: Path, at: 'key' | 'value') => {
    if (!values.includes(value))
      report(path, 'unknown_value', `"${value}" is not a value of "${name}"`, suggest(value, values, 'Values'), at)
  }
  for (const [from, targets] of Object.entries(transitions)) {
    check(from, ['transitions', from], 'key')
    for (const [index, to] of targets.entries()) {
      const path = ['transitions', from, index]
      check(to, path, 'value')
      if (to === from) report(path, 'invalid_option', `"${from}" can't follow itself`, 'Remove it: it always may stay')
    }
  }
  for (const [index, value] of initial.entries()) check(value, ['initial', index], 'value')
  for (const value of Object.keys(roles)) check(value, ['roles', value], 'key')
}

/** Values that no row can have. */
export const unreachable = (field: Field): readonly string[] => {
  const reached = [...reachedStates(field), ...(field.states?.initial ?? [])]
  return field.states ? (field.values ?? []).filter(value => !reached.includes(value)) : []
}
