/** Checks the conditions of triggers and steps. */
import { isRecord } from '@larder-dev/larder/kernel'
import { conditionParts, conditionShape } from '@larder-dev/larder/kernel/internal'
import type { DeclaredCondition } from '../domain/definition/declared.ts'
import { parseExpression } from '../domain/values/expression.ts'
import type { Offered } from './offered.ts'
import { pathMistakes } from './step-check.ts'
import { isMistake, literalMistake, type Mistake, type Schema, schemaAt, withoutNull } from './types.ts'

type At = readonly (string | number)[]

export function conditionMistakes(condition: DeclaredCondition, offered: Offered, at: At): Mistake[] {
  const wrong = conditionShape(condition)
  return wrong.length > 0
    ? wrong.map(({ path, ...mistake }) => ({ ...mistake, path: [...at, ...path], code: 'invalid_condition' }))
    : partMistakes(condition, offered, at)
}

const partMistakes = (condition: DeclaredCondition, offered: Offered, at: At): Mistake[] =>
  conditionParts(condition).flatMap(part => {
    if (part.kind === 'not') return partMistakes(part.condition, offered, [...at, 'not'])
    if (part.kind === 'or')
      return part.alternatives.flatMap((each, index) => partMistakes(each, offered, [...at, 'or', index]))
    const { name: written, operators } = part
    const here = [...at, written]
    const found = schemaAt(offered.schema, written.split('.'), written)
    if (isMistake(found)) return [{ path: here, ...found }]
    const given = condition[written]
    if (!isRecord(given)) return operandMistakes(given, found, offered, here, written)
    return Object.entries(operators).flatMap(([operator, operand]) =>
      operator === 'exists'
        ? []
        : [operand].flat().flatMap(each => operandMistakes(each, found, offered, [...here, operator], written)),
    )
  })

function operandMistakes(operand: unknown, found: Schema, offered: Offered, at: At, written: string): Mistake[] {
  const schema = withoutNull(found)
  const expected = schema.type === 'array' ? ((schema.items ?? {}) as Schema) : schema
  const expression = typeof operand === 'string' ? parseExpression(operand) : undefined
  if (expression?.kind === 'value') return pathMistakes(expression.path, String(operand), expected, offered, at)
  if (at.at(-1) === 'contains' || at.at(-1) === 'startsWith' || at.at(-1) === 'endsWith') return []
  const mistake = literalMistake(operand, expected)
  if (!mistake) return []
  const { message, hint } = mistake
  return [{ path: at, code: 'invalid_condition', message: `${written} ${message}`, ...(hint && { hint }) }]
}
