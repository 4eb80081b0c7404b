/** Runs untrusted patterns with RE2, in time linear in the text. */
import { createRequire } from 'node:module'
import { WordedError, wording } from '@larder-dev/larder/kernel'
import type { RE2JS } from 're2js'

/** Characters. */
const MAX_PATTERN_LENGTH = 500
const require = createRequire(import.meta.url)

/** The interface that ajv expects of a regular expression. */
export interface Pattern {
  test(text: string): boolean
  toString(): string
  /** Maximum number of steps per character. */
  readonly size: number
}

/**
 * Throws an Error for an invalid pattern, and for one that needs backtracking (back-references, look-around), which RE2
 * doesn't support. https://github.com/google/re2/wiki/Syntax
 */
export function linearPattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new WordedError(wording('is longer than {limit} characters', { limit: MAX_PATTERN_LENGTH }))
  // Takes 27 ms to load, so only forms with a pattern load it.
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
    throw new WordedError(wording('is not a pattern that runs in linear time: {reason}', { reason }), { cause: error })
  }
}
