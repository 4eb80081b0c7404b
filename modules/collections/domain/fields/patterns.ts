/** Patterns of text fields, matched by RE2 in time linear in the text. */
import { createRequire } from 'node:module'
import { WordedError, wording } from '@larder-dev/larder/kernel'
import type { RE2JS } from 're2js'

/** Characters. */
const MAX_PATTERN_LENGTH = 500
const require = createRequire(import.meta.url)

type Matches = (text: string) => boolean
/** Patterns come from the recipe and from schemas in it, so there are few. */
const compiled = new Map<string, Matches>()

/** Throws an Error for an invalid pattern, and for one that needs backtracking, which RE2 doesn't support. */
export function linearPattern(source: string): Matches {
  const known = compiled.get(source) ?? compile(source)
  compiled.set(source, known)
  return known
}

function compile(source: string): Matches {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new WordedError(wording('is longer than {limit} characters', { limit: MAX_PATTERN_LENGTH }))
  // Takes 27 ms to load, so only products with a pattern load it.
  const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS }
  try {
    const pattern = engine.compile(engine.translateRegExp(source))
    return text => pattern.matcher(text).find()
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw new WordedError(wording('is not a pattern that runs in linear time: {reason}', { reason }), { cause: error })
  }
}
