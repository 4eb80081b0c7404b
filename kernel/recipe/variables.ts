/** Fills in `${NAME}` and `${NAME:-default}` in the scalars of a recipe. `$${` is a literal `${`. */

import { readVariable } from '../base/index.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Filled {
  readonly text: string
  /** True if a variable or its default was filled in. */
  readonly filled: boolean
  /** True if the text was a single variable. */
  readonly whole: boolean
  /** Variables that are not set and have no default. */
  readonly missing: readonly string[]
  /** True if a `${` doesn't start a valid variable. */
  readonly malformed: boolean
}

const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\})?/g
const WHOLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}$/

/** As in a shell, the default also replaces an empty variable. */
export function fill(text: string, env: Env): Filled {
  if (!text.includes('${')) return { text, filled: false, whole: false, missing: [], malformed: false }
  const missing: string[] = []
  let malformed = false
  let filled = false
  const done = text.replace(VARIABLE, (found, name?: string, fallback?: string) => {
    if (found === '$${') return '${'
    if (!name) malformed = true
    else {
      filled = true
      const value = readVariable(env, name) ?? (env[name] === undefined ? undefined : '')
      if (value !== undefined && (value !== '' || fallback === undefined)) return value
      if (fallback !== undefined) return fallback.slice(2)
      missing.push(name)
    }
    return found
  })
  return { text: done, filled, whole: WHOLE.test(text), missing, malformed }
}
