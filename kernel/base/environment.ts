/** Reads environment variables. Everything that reads one uses this rule. */

export type Environment = Readonly<Record<string, string | undefined>>

/** Spaces and line ends; also zero-width spaces and byte order marks, which come from copied text. */
const EDGES = /^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g

/**
 * The value of a variable without the line end of a file, and without the quotes that `docker --env-file` and a secret
 * from a YAML file keep. An empty variable counts as unset.
 */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name]?.replace(EDGES, '') ?? ''
  const [, , quoted] = /^(["'])((?:(?!\1).)*)\1$/s.exec(value) ?? []
  return (quoted ?? value).replace(EDGES, '') || undefined
}
