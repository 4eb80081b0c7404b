/** Settings: values of environment variables, declared by the services and modules that read them. */

import { readVariable } from './environment.ts'
import { parseUrl } from './web-address.ts'

export interface SettingVariable {
  readonly name: string
  readonly about: string
  readonly default?: string
  readonly secret?: boolean
  /** Only processes that serve requests read it, and those that do all. */
  readonly process?: 'web'
}

/** A variable with its value: null if it is unset, `***` for a secret. */
export interface SettingValue extends SettingVariable {
  readonly value: string | null
}

/** Reads variables, as `readVariable` does, and collects every mistake. */
export interface SettingsReader {
  text(name: string): string | undefined
  /**
   * The parts of a list with commas. A part that `text` changes is also accepted as it is, as the last one: an earlier
   * version may have used it.
   */
  secrets(name: string): readonly string[]
  /** A whole number from 0 to `max`. */
  integer(name: string, standard: number, max: number): number
  oneOf<const T extends string>(name: string, values: readonly T[], standard: T): T
  /** A URL with one of these schemes. */
  url(name: string, schemes: readonly string[]): string | undefined
  fail(message: string): void
  valuesOf(variables: readonly SettingVariable[]): readonly SettingValue[]
}

/** Environment variables with their schema, as `defineSettings` declares them. */
export interface SettingsSpec<T extends object = object> {
  readonly variables: readonly SettingVariable[]
  read(env: SettingsReader): T
}

/** Declares the environment variables that a definition reads, for its field `settings`. */
export const defineSettings = <T extends object>(spec: SettingsSpec<T>): SettingsSpec<T> => spec

/** Each line of the message is one invalid variable. */
export class SettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`Invalid environment:\n  ${problems.join('\n  ')}`)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** @param problems receives one sentence per invalid variable. */
export function createSettingsReader(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): SettingsReader {
  const text = (name: string) => readVariable(env, name)
  return {
    text,
    secrets: name => {
      const parts = [text(name) ?? '', env[name] ?? ''].flatMap(value => value.split(','))
      const whole = parts.map(part => part.trim())
      return [...new Set([...whole, ...parts])].filter(part => part.trim() !== '')
    },
    integer(name, standard, max) {
      const value = text(name) ?? String(standard)
      if (/^\d+$/.test(value) && Number(value) <= max) return Number(value)
      problems.push(`${name} must be a whole number from 0 to ${max}, not '${value}'`)
      return standard
    },
    oneOf(name, values, standard) {
      const value = text(name) ?? standard
      const found = values.find(candidate => candidate === value)
      if (!found) problems.push(`${name} must be one of ${values.join(', ')}, not '${value}'`)
      return found ?? standard
    },
    url(name, schemes) {
      const value = text(name)
      if (value === undefined) return undefined
      const scheme = parseUrl(value)?.protocol.slice(0, -1)
      if (!scheme || !schemes.includes(scheme))
        problems.push(`${name} must be a URL that begins with ${schemes.map(each => `${each}://`).join(' or ')}`)
      return value
    },
    fail: message => void problems.push(message),
    valuesOf: variables =>
      variables.map(each => ({
        ...each,
        value: (each.secret && text(each.name) && '***') || (text(each.name) ?? null),
      })),
  }
}
