/** Changes the values of a sample so that it meets conditions, as far as they can be met by a written value. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { conditionParts } from '@larder-dev/larder/kernel/internal'
import type { DeclaredCondition } from '../../domain/definition/declared.ts'
import { parseExpression } from '../../domain/values/expression.ts'

type Values = Readonly<Record<string, unknown>>

export const meeting = (condition: DeclaredCondition, values: Values): Values =>
  conditionParts(condition).reduce((met, part) => {
    // The first alternative is enough. Values that are given seldom are the excluded ones.
    if (part.kind === 'or') return meeting(part.alternatives[0] ?? {}, met)
    if (part.kind === 'not') return met
    const wanted = valueFor({ ...part.operators })
    return wanted === undefined ? met : withValue(met, part.name.split('.'), wanted)
  }, values)

/** Undefined if the operators name no such value, or take it from the run. */
function valueFor({ eq, in: among, gte, lte, gt, lt, contains, startsWith, endsWith, exists }: Values): unknown {
  if (exists === false) return null
  const [first] = Array.isArray(among) ? among : []
  const number = typeof gt === 'number' ? gt + 1 : typeof lt === 'number' ? lt - 1 : undefined
  const found = eq ?? first ?? gte ?? lte ?? number ?? contains ?? startsWith ?? endsWith
  return typeof found === 'string' && parseExpression(found).kind !== 'literal' ? undefined : found
}

function withValue(values: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  if (!Object.hasOwn(values, name)) return values
  const inner = values[name]
  if (rest.length === 0) return { ...values, [name]: value }
  return isRecord(inner) ? { ...values, [name]: withValue(inner, rest, value) } : values
}
