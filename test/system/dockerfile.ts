/** Parses the part of the Dockerfile syntax that this project uses. Throws on everything else. */

export interface Instruction {
  readonly name: string
  readonly value: string
}

export interface Stage {
  /** The image after FROM. */
  readonly base: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

const SUPPORTED = ['RUN', 'COPY', 'WORKDIR', 'ENV', 'USER', 'EXPOSE', 'VOLUME', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']

export function parseDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    const current = stages.at(-1)
    if (name === 'FROM') {
      const [, base = '', alias] = /^(\S+)(?: AS (\S+))?$/.exec(value) ?? []
      stages.push({ base, name: alias, instructions: [] })
    } else if (current && SUPPORTED.includes(name)) current.instructions.push({ name, value })
    else throw new Error(`The system test cannot run this line of the Dockerfile: ${line}`)
  }
  return stages
}

/** Reads the JSON form of CMD, ENTRYPOINT and HEALTHCHECK. */
export const parseCommand = (value: string): string[] => JSON.parse(value.slice(value.indexOf('['))) as string[]

/** Reads `A=1 B=2`. */
export const parseEnv = (value: string): Record<string, string> =>
  Object.fromEntries(
    value.split(/\s+/).map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
