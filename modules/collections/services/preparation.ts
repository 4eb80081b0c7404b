import type { Step } from '@larder-dev/larder/kernel'

/** Statements of this module that are prepared. Each connection keeps all of them. */
const MAX_PREPARED = 150
/** Uses after which a text is prepared. */
const MIN_USES = 5
const MAX_COUNTED = 1000

/**
 * Lets the statements that many requests share be prepared. The texts of lists depend on filters and fields, so there are
 * too many of them to prepare all.
 */
export function createPreparation(): (text: string, values?: readonly unknown[], options?: Step[2]) => Step {
  const uses = new Map<string, number>()
  const prepared = new Set<string>()
  return (text, values, options) => {
    const unprepared: Step = [text, values, { ...options, prepare: false }]
    if (prepared.has(text)) return [text, values, options]
    if (prepared.size === MAX_PREPARED) return unprepared
    const count = (uses.get(text) ?? 0) + 1
    uses.delete(text)
    if (count >= MIN_USES) {
      prepared.add(text)
      return [text, values, options]
    }
    uses.set(text, count)
    const [oldest] = uses.keys()
    if (uses.size > MAX_COUNTED && oldest !== undefined) uses.delete(oldest)
    return unprepared
  }
}
