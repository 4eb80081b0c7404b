/** `${NAME}` and `${NAME:-default}` in the scalars of a recipe, `$${` for the characters themselves. */

export type Env = Readonly<Record<string, string | undefined>>

export interface Filled {
  readonly text: string
  /** Some of it came from a variable, or from its default. */
  readonly filled: boolean
  /** The text was one variable and nothing else. */
  readonly whole: boolean
  /** Variables that are not set and have no default. */
  readonly missing: readonly string[]
  /** `${` that begins no variable. */
  readonly malformed: boolean
}

const VARIABLE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\})?/g
const WHOLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\}$/

/** As a shell does it, a default stands in for a variable that is empty, too. */
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
      const value = env[name]
      if (value !== undefined && (value !== '' || fallback === undefined)) return value
      if (fallback !== undefined) return fallback.slice(2)
      missing.push(name)
    }
    return found
  })
  return { text: done, filled, whole: WHOLE.test(text), missing, malformed }
}
