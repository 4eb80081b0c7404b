/** Patterns of strangers: RE2, which takes time linear in the text, whatever the pattern. */
import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

/** Characters. */
const LONGEST = 500
const require = createRequire(import.meta.url)

/** What ajv asks of a regular expression. */
export interface Pattern {
  test(text: string): boolean
  toString(): string
  /** Steps a character takes at most. */
  readonly size: number
}

/**
 * Throws an Error that says what is wrong: a pattern that is none, or one that needs backtracking (references back,
 * looking ahead and behind), which RE2 does not do. https://github.com/google/re2/wiki/Syntax
 */
export function linearPattern(source: string): Pattern {
  if (source.length > LONGEST) throw new Error(`is longer than ${LONGEST} characters`)
  // 27 ms to load: only a form with a pattern waits for it.
  const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS }
  const compiled = compile(engine, source)
  return {
    test: text => compiled.matcher(text).find(),
    toString: () => `re2:${source}`,
    size: compiled.programSize(),
  }
}

function compile(engine: typeof RE2JS, source: string): RE2JS {
  try {
    return engine.compile(engine.translateRegExp(source))
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw new Error(`cannot be run in linear time, or is no pattern: ${reason}`, { cause: error })
  }
}
