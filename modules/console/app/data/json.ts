/** Parses JSON that a person wrote. */

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Throws a SyntaxError also for an integer that JavaScript would round. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  for (const [token] of text.matchAll(STRING_OR_NUMBER))
    if (isRounded(token)) throw new SyntaxError(`${token} has too many digits`)
  return value
}

/** @param text of a number. */
export const isRounded = (text: string): boolean => /^[-+]?\d+$/.test(text) && !isSafe(text)
const isSafe = (text: string): boolean =>
  Number.isSafeInteger(Number(text)) || BigInt(text.replace('+', '')) === BigInt(Number(text))
