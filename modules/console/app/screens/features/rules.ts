/** Rules of a flag as a form edits them: one row for each condition. Pure. */
import { type Api, parseJson } from '@larder-dev/larder/console'

export interface EditedCondition {
  readonly attribute: string
  readonly operator: string
  readonly operand: string
}
export interface EditedRule {
  readonly id: number
  readonly conditions: readonly EditedCondition[]
  readonly rollout: number
  readonly value: string
  readonly variant: string | undefined
}

/** Attributes in rules of flags that the server doesn't know: applications probably send them. */
export function otherAttributes(
  flags: readonly Readonly<Record<string, unknown>>[],
  known: readonly string[],
): string[] {
  const names = flags.flatMap(({ rules }) =>
    ((rules ?? []) as readonly Api.FlagRule[]).flatMap(({ when = {} }) => Object.keys(when)),
  )
  // A misspelled attribute of the server never gets a value, even if a rule uses it.
  return [...new Set(names)]
    .filter(name => !known.includes(name) && serverAttributeIn(name, known) === undefined)
    .sort()
}

/** The attribute of the server that a name such as `tenant.plan` or `Plan` probably means. */
export const serverAttributeIn = (name: string, known: readonly string[]): string | undefined =>
  known.find(each => each.toLowerCase() === name.toLowerCase().split('.').at(-1))
export const isList = (operator: string): boolean => operator === 'in' || operator === 'notIn'
const TEXT_OPERATORS = /^(startsWith|endsWith|semver)/

let lastId = 0
export const newRule = (value: string): EditedRule => ({
  id: ++lastId,
  conditions: [],
  rollout: 100,
  value,
  variant: undefined,
})

export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** @param type of the flag. Throws SyntaxError if the text is no value of it. */
export function parseValue(text: string, type: string): unknown {
  if (type === 'string') return text
  const value: unknown = parseJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'object' ? !isObject : typeof value !== type) throw new SyntaxError(`Not a ${type}: ${text}`)
  return value
}

export const editRule = ({ when = {}, rollout = 100, value, variant }: Api.FlagRule): EditedRule => ({
  id: ++lastId,
  conditions: Object.entries(when).flatMap(([attribute, condition]) =>
    typeof condition === 'object' && condition !== null
      ? Object.entries(condition).map(([operator, operand]) => ({ attribute, operator, operand: operandText(operand) }))
      : [{ attribute, operator: 'eq', operand: operandText(condition) }],
  ),
  rollout,
  value: valueText(value),
  variant,
})

/** Texts that look like another type are quoted. */
const operandText = (operand: unknown): string =>
  Array.isArray(operand)
    ? operand.map(scalarText).join(', ')
    : typeof operand === 'string' && scalarOf(operand) !== operand
      ? JSON.stringify(operand)
      : String(operand)
const scalarText = (value: unknown): string =>
  typeof value === 'string' && (value.includes(',') || scalarOf(value) !== value)
    ? JSON.stringify(value)
    : String(value)

/** `true`, `12` and `"12"` have their JSON types; everything else is text. */
function scalarOf(text: string): string | number | boolean {
  const trimmed = text.trim()
  if (!/^(true|false|-?\d+(\.\d+)?|".*")$/.test(trimmed)) return trimmed
  try {
    return parseJson(trimmed) as string | number | boolean
  } catch {
    return trimmed
  }
}
const listOf = (text: string) =>
  (text.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? []).map(scalarOf).filter(value => value !== '')

export function ruleOf({ conditions, rollout, value, variant }: EditedRule, type: string): Api.FlagRule {
  const when: Record<string, Record<string, unknown>> = {}
  for (const { attribute, operator, operand } of conditions) {
    const name = attribute.trim()
    if (name === '') continue
    when[name] = { ...when[name], [operator]: operandOf(operator, operand) }
  }
  return {
    ...(Object.keys(when).length > 0 && { when }),
    ...(rollout < 100 && { rollout }),
    value: parseValue(value, type) as Api.FlagValue,
    ...(variant !== undefined && { variant }),
  }
}

function operandOf(operator: string, text: string): unknown {
  if (isList(operator)) return listOf(text)
  return TEXT_OPERATORS.test(operator) ? text.trim() : scalarOf(text)
}
