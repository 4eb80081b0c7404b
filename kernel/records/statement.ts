/** Statements whose values have names. */
import type { StepOptions } from '../contract/index.ts'

/** Not the tag of a dollar-quoted string, and no part of a longer name. */
const NAME = /(?<![\w$])\$([a-zA-Z]\w*)(?![\w$])/g
const NUMBER = /(?<![\w$])\$\d/

/** A statement of these values. It takes exactly those that its text names. */
export type Statement = (
  values: Readonly<Record<string, unknown>>,
  options?: StepOptions,
) => readonly [text: string, values: readonly unknown[], options?: StepOptions]

/**
 * Prepares a text with `$name` for each value, for statements with more values than one can count: `unit.query(...INSERT({
 * id, name }))`. A name can occur several times.
 */
export function statement(text: string): Statement {
  if (NUMBER.test(text)) throw new Error(`a statement has numbers and names of values: ${text}`)
  const names: string[] = []
  const numbered = text.replace(NAME, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return (values, options) => {
    const missing = names.filter(name => !Object.hasOwn(values, name))
    if (missing.length > 0) throw new Error(`a statement has no value for ${missing.join(', ')}`)
    const unknown = Object.keys(values).filter(name => !names.includes(name))
    if (unknown.length > 0) throw new Error(`a statement doesn't use ${unknown.join(', ')}`)
    const list = names.map(name => values[name])
    return options ? [numbered, list, options] : [numbered, list]
  }
}
