/** Failures as sentences that say what to do. */
import { OperatorError, SettingsError } from '../kernel/index.ts'
import { RecipeError } from '../kernel/recipe/index.ts'
import { withoutPassword } from '../services/postgres/connection.ts'
import { coloured } from './shell.ts'

type Env = Readonly<Record<string, string | undefined>>
interface Coded extends Error {
  readonly code?: string
  readonly port?: number
  readonly address?: string
  readonly syscall?: string
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'this host name is not known',
  EAI_AGAIN: 'this host name cannot be looked up just now',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
  ECONNRESET: 'it closed the connection',
  '28P01': 'it refused the password',
  '28000': 'it refused the user',
  '3D000': 'it has no such database: create it with createdb',
  '53300': 'it has no connection left: raise max_connections, or run fewer processes',
  '57P03': 'it is starting up: try again in a moment',
}

/** One sentence, or several lines for a recipe and an environment with several mistakes. */
export function explain(error: unknown, env: Env): string {
  if (error instanceof RecipeError) return error.render(coloured(process.stderr))
  if (error instanceof SettingsError) return `${error.message}\nEvery setting with its meaning: larder doctor`
  const chain = causes(error)
  const operatorError = chain.find(OperatorError.is)
  // The cause of a failed connection names the setting to correct.
  if (operatorError && operatorError.code !== 'database_unreachable')
    return withStack(operatorError.message, chain, env)
  const coded = chain.find(isSystemError)
  const sentence =
    (coded && (listening(coded, env) ?? reaching(coded, chain, env) ?? files(coded))) ??
    chain.find(({ message }) => message)?.message ??
    String(error)
  return withStack(sentence, chain, env)
}

const isSystemError = (error: Coded): boolean =>
  typeof error.code === 'string' && error.code !== 'unavailable' && !OperatorError.is(error)

const withStack = (sentence: string, chain: readonly Coded[], env: Env): string =>
  env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace' ? `${sentence}\n${chain[0]?.stack ?? ''}` : sentence

/** The error, what caused it, and so on inwards. */
function causes(error: unknown): Coded[] {
  const found: Coded[] = []
  let waiting: unknown[] = [error]
  while (waiting.length > 0 && found.length < 20) {
    const errors = waiting.filter(entry => entry instanceof Error && !found.includes(entry)) as Coded[]
    found.push(...errors)
    waiting = errors.flatMap(entry => [entry.cause, ...(entry instanceof AggregateError ? entry.errors : [])])
  }
  return found
}

function listening({ code, syscall, port, address }: Coded, env: Env): string | undefined {
  if (syscall !== 'listen') return undefined
  const place = `port ${port ?? env.PORT ?? 8080} on ${address ?? env.HOST ?? '127.0.0.1'}`
  if (code === 'EADDRINUSE')
    return `${place} is taken by another process. Stop that one, or choose another port: PORT=${(port ?? 8080) + 1} larder start`
  if (code === 'EACCES') return `${place} needs more rights. Choose a port from 1024 on: PORT=8080 larder start`
  if (code === 'EADDRNOTAVAIL')
    return `this machine has no address ${address ?? env.HOST}. Set HOST to one it has, or to 0.0.0.0 for all of them.`
  return undefined
}

function reaching({ code = '', port }: Coded, chain: readonly Coded[], env: Env): string | undefined {
  const why = UNREACHABLE[code] ?? chain.map(entry => UNREACHABLE[entry.code ?? '']).find(Boolean)
  if (!why) return undefined
  const name = ['REDIS_URL', 'MONGODB_URL', 'SMTP_URL'].find(setting => portOf(env[setting]) === port && port)
  if (name) return `the server that ${name} names, on port ${port}, cannot be reached: ${why}.`
  const url = env.DATABASE_URL
  return url
    ? `${withoutPassword(url)} cannot be reached: ${why}. Correct DATABASE_URL, or leave it out: Larder then brings a PostgreSQL of its own.`
    : `the embedded PostgreSQL cannot be reached: ${why}. Its log is postgres/server.log in the folder ${env.LARDER_DATA ?? '.larder'}.`
}

const portOf = (url: string | undefined): number | undefined =>
  url && URL.canParse(url) ? Number(new URL(url).port) || undefined : undefined

function files({ code, message }: Coded): string | undefined {
  if (code === 'ENOSPC') return 'the disk is full.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `a file cannot be used (${message}). Give this user the right to it, or set LARDER_DATA to a folder that it may write.`
  return undefined
}
