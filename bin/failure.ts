/** Turns errors into messages that name the fix. */
import { OperatorError, readVariable, SettingsError } from '../kernel/internal.ts'
import { RecipeError } from '../kernel/recipe/index.ts'
import { withoutPassword } from '../services/postgres/connection.ts'
import { isColored } from './shell.ts'

type Env = Readonly<Record<string, string | undefined>>
interface Coded extends Error {
  readonly code?: string
  readonly port?: number
  readonly address?: string
  readonly syscall?: string
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name lookup failed; try again later',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ECONNRESET: 'the server closed the connection',
  '28P01': 'password authentication failed',
  '28000': 'the server rejected the user',
  '3D000': 'the database does not exist; create it with createdb',
  '53300': 'too many connections; raise max_connections or run fewer processes',
  '57P03': 'the server is starting up; try again in a moment',
}

/** PgBouncer reports it as a violation of the protocol. */
const POOLER_REJECTION = /authentication failed/i

/** Returns one sentence, or several lines if a recipe or the environment has several errors. */
export function explain(error: unknown, env: Env): string {
  if (error instanceof RecipeError) return error.render(isColored(process.stderr))
  if (error instanceof SettingsError) return `${error.message}\nRun larder doctor to see all settings.`
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
  typeof error.code === 'string' && !/^(database_)?unavailable$/.test(error.code) && !OperatorError.is(error)

const withStack = (sentence: string, chain: readonly Coded[], env: Env): string =>
  /^(debug|trace)$/.test(readVariable(env, 'LOG_LEVEL') ?? '') ? `${sentence}\n${chain[0]?.stack ?? ''}` : sentence

/** Returns the error followed by its causes, outermost first. */
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
  const place = `port ${port ?? readVariable(env, 'PORT') ?? 8080} on ${address ?? readVariable(env, 'HOST') ?? '127.0.0.1'}`
  const setting = String(port) === readVariable(env, 'METRICS_PORT') ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE')
    return `${place} is already in use. Stop the other process or choose another port: ${setting}=${(port ?? 8080) + 1} larder start`
  if (code === 'EACCES')
    return `${place} requires elevated privileges. Choose port 1024 or higher: ${setting}=${setting === 'PORT' ? 8080 : 9464} larder start`
  if (code === 'EADDRNOTAVAIL')
    return `address ${address ?? readVariable(env, 'HOST')} is not available on this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
  return undefined
}

function reaching({ code = '', port }: Coded, chain: readonly Coded[], env: Env): string | undefined {
  const why =
    UNREACHABLE[code] ??
    chain.map(entry => UNREACHABLE[entry.code ?? '']).find(Boolean) ??
    (chain.some(({ message }) => POOLER_REJECTION.test(message)) ? UNREACHABLE['28P01'] : undefined)
  if (!why) return undefined
  const name = ['REDIS_URL', 'MONGODB_URL', 'SMTP_URL'].find(
    setting => portOf(readVariable(env, setting)) === port && port,
  )
  if (name) return `can't connect to the server in ${name} on port ${port}: ${why}.`
  const url = readVariable(env, 'DATABASE_URL')
  return url
    ? `can't connect to ${withoutPassword(url)}: ${why}. Check DATABASE_URL, or unset it to use the embedded PostgreSQL.`
    : `can't connect to the embedded PostgreSQL: ${why}. See its log, ${readVariable(env, 'LARDER_DATA') ?? '.larder'}/postgres/server.log.`
}

const portOf = (url: string | undefined): number | undefined =>
  url && URL.canParse(url) ? Number(new URL(url).port) || undefined : undefined

function files({ code, message }: Coded): string | undefined {
  if (code === 'ENOSPC') return 'the disk is full.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `permission denied (${message}). Grant this user access, or set LARDER_DATA to a writable folder.`
  return undefined
}
