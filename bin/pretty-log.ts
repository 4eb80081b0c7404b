import { inspect } from 'node:util'
import { oneLine, paint } from './shell.ts'

/** Names and colors of pino's levels, from the lowest number of each. */
const LEVELS = [
  { from: 60, name: 'FATAL', color: 'red' },
  { from: 50, name: 'ERROR', color: 'red' },
  { from: 40, name: 'WARN', color: 'yellow' },
  { from: 30, name: 'INFO', color: 'green' },
  { from: 0, name: 'DEBUG', color: 'gray' },
] as const

/** Formats a JSON line of pino: local time, level, message, other fields, and the stack of an error below it. */
export function prettyLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const { name, color } = LEVELS.find(entry => Number(level) >= entry.from) ?? LEVELS[4]
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const parts = [paint('gray', clock), paint(color, name.padEnd(5)), oneLine(String(msg ?? '')), ...format(fields)]
  return `${parts.filter(Boolean).join(' ')}\n${formatError(err)}`
}

const format = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).map(([name, value]) => paint('gray', `${oneLine(name)}=${formatValue(value)}`))

/** Removes control characters, which could change the terminal. */
const formatValue = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value))

function formatError(error: unknown): string {
  if (error === undefined) return ''
  const stack = typeof error === 'object' && error && 'stack' in error ? String(error.stack) : inspect(error)
  return `${stack
    .split('\n')
    .map(line => `  ${oneLine(line)}`)
    .join('\n')}\n`
}
