/** Checks the conditions of triggers and steps. */
import type { DeclaredCondition } from '../domain/definition/declared.ts'
import { parseExpression } from '../domain/values/expression.ts'
import type { Offered } from './offered.ts'
import { pathMistakes } from './step-check.ts'
import { isMistake, literalMistake, type Mistake, type Schema, schemaAt, withoutNull } from './types.ts'

type At = readonly (string | number)[]

export const conditionMistakes = (condition: DeclaredCondition, offered: Offered, at: At): Mistake[] =>
  Object.entries(condition).flatMap(([written, test]) => {
    const here = [...at, written]
    const found = schemaAt(offered.schema, written.split('.'), written)
    if (isMistake(found)) return [{ path: here, ...found }]
    if (typeof test !== 'object') return operandMistakes(test, found, offered, here, written)
    return Object.entries(test).flatMap(([operator, operand]) =>
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
