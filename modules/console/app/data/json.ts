/** Parses JSON that a person wrote. */
import { isExactNumber } from '../../../../kernel/base/decimal.ts'

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Throws a SyntaxError also for a number that JavaScript would round. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  for (const [token] of text.matchAll(STRING_OR_NUMBER))
    if (!token.startsWith('"') && !isExactNumber(token)) throw new SyntaxError(`${token} has too many digits`)
  return value
}
