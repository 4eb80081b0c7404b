/** What the environment says: read once, checked, every mistake at once. */
import { resolve } from 'node:path'

export interface Settings {
  readonly port: number
  readonly host: string
  /** Overrides the recipe's `product.publicUrl`. */
  readonly publicUrl: string | undefined
  readonly dataDir: string
  /** Path of the recipe, if the environment names one. */
  readonly recipe: string | undefined
  /** Newest first; empty when it is to be made in `dataDir`. */
  readonly secrets: readonly string[]
  readonly databaseUrl: string | undefined
  readonly databaseAppUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly mongodbUrl: string | undefined
  readonly smtpUrl: string | undefined
  readonly jobsBackend: 'postgres' | 'mongodb' | 'redis'
  readonly bus: 'memory' | 'postgres' | 'redis'
  /** Hops of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: number
  readonly rateLimits: boolean
  readonly production: boolean
  readonly logLevel: string
  /** Lets `/metrics` be read from elsewhere than loopback. */
  readonly metricsToken: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** One line of `larder doctor`. */
export const SETTINGS: readonly { name: string; about: string; secret?: boolean }[] = [
  { name: 'PORT', about: 'port to listen on (8080; 0 takes a free one)' },
  { name: 'HOST', about: 'address to listen on (127.0.0.1; 0.0.0.0 in a container)' },
  { name: 'PUBLIC_URL', about: 'address under which people reach the product' },
  { name: 'LARDER_DATA', about: 'folder of the embedded database, its log, files and the secret (.larder)' },
  { name: 'LARDER_RECIPE', about: 'path of the recipe (the shipped recipes/full.yaml)' },
  { name: 'LARDER_SECRET', about: '32 random bytes or more; during a rotation new,old', secret: true },
  { name: 'DATABASE_URL', about: 'PostgreSQL as owner of the schema: migrates', secret: true },
  { name: 'DATABASE_APP_URL', about: 'PostgreSQL as larder_app, where the owner may not create roles', secret: true },
  { name: 'DATABASE_DIRECT_URL', about: 'PostgreSQL past a transaction-mode pooler', secret: true },
  { name: 'REDIS_URL', about: 'Redis for BUS or JOBS_BACKEND', secret: true },
  { name: 'MONGODB_URL', about: 'MongoDB for JOBS_BACKEND', secret: true },
  { name: 'SMTP_URL', about: 'server that takes mail: smtp://user:password@host:port', secret: true },
  { name: 'JOBS_BACKEND', about: 'postgres (default), mongodb or redis' },
  { name: 'BUS', about: 'postgres (default), redis, or memory: one process alone' },
  { name: 'TRUST_PROXY', about: 'hops of proxies whose X-Forwarded-For is believed (0)' },
  { name: 'RATE_LIMITS', about: 'on (default) or off, for load tests' },
  { name: 'NODE_ENV', about: 'production: plain error pages, no development shortcuts' },
  { name: 'LOG_LEVEL', about: 'trace, debug, info (default), warn, error, silent' },
  { name: 'METRICS_TOKEN', about: 'bearer token for /metrics from elsewhere than loopback', secret: true },
]

/** Each line of the message is one wrong variable. */
export class SettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`the environment is not usable:\n  ${problems.join('\n  ')}`)
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** Reads the environment. Throws a SettingsError that names every wrong variable. */
export function readSettings(env: Env, folder = process.cwd()): Settings {
  const problems: string[] = []
  const text = (name: string) => env[name] || undefined
  const integer = (name: string, standard: number, max: number) => {
    const value = text(name) ?? String(standard)
    if (/^\d+$/.test(value) && Number(value) <= max) return Number(value)
    problems.push(`${name} must be a whole number from 0 to ${max}, not '${value}'`)
    return standard
  }
  const word = <const T extends string>(name: string, words: readonly T[], standard: T): T => {
    const value = text(name) ?? standard
    const found = words.find(candidate => candidate === value)
    if (!found) problems.push(`${name} must be one of ${words.join(', ')}, not '${value}'`)
    return found ?? standard
  }
  const url = (name: string, schemes: readonly string[]) => {
    const value = text(name)
    if (value === undefined) return undefined
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : undefined
    if (!scheme || !schemes.includes(scheme))
      problems.push(`${name} must be an address that begins with ${schemes.map(s => `${s}://`).join(' or ')}`)
    return value
  }
  const secrets = (text('LARDER_SECRET') ?? '').split(',').filter(Boolean)
  for (const secret of secrets)
    if (Buffer.byteLength(secret) < 32)
      problems.push('LARDER_SECRET must be at least 32 bytes: openssl rand -base64 32')
  const databaseUrl = url('DATABASE_URL', ['postgres', 'postgresql'])
  if (databaseUrl && secrets.length === 0)
    problems.push('LARDER_SECRET is required with DATABASE_URL, the same in every process: openssl rand -base64 32')
  const jobsBackend = word('JOBS_BACKEND', ['postgres', 'mongodb', 'redis'], 'postgres')
  const bus = word('BUS', ['postgres', 'memory', 'redis'], 'postgres')
  const redisUrl = url('REDIS_URL', ['redis', 'rediss'])
  const mongodbUrl = url('MONGODB_URL', ['mongodb', 'mongodb+srv'])
  if (bus === 'redis' && !redisUrl) problems.push('BUS=redis needs REDIS_URL')
  if (jobsBackend === 'redis' && !redisUrl) problems.push('JOBS_BACKEND=redis needs REDIS_URL')
  if (jobsBackend === 'mongodb' && !mongodbUrl) problems.push('JOBS_BACKEND=mongodb needs MONGODB_URL')

  const settings: Settings = {
    port: integer('PORT', 8080, 65535),
    host: text('HOST') ?? '127.0.0.1',
    publicUrl: url('PUBLIC_URL', ['http', 'https'])?.replace(/\/+$/, ''),
    dataDir: resolve(folder, text('LARDER_DATA') ?? '.larder'),
    recipe: text('LARDER_RECIPE') && resolve(folder, text('LARDER_RECIPE') as string),
    secrets,
    databaseUrl,
    databaseAppUrl: url('DATABASE_APP_URL', ['postgres', 'postgresql']),
    databaseDirectUrl: url('DATABASE_DIRECT_URL', ['postgres', 'postgresql']),
    redisUrl,
    mongodbUrl,
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps']),
    jobsBackend,
    bus,
    trustProxy: integer('TRUST_PROXY', 0, 16),
    rateLimits: word('RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    production: text('NODE_ENV') === 'production',
    logLevel: word('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    metricsToken: text('METRICS_TOKEN'),
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** `host:port/name` of a connection string. */
export function withoutPassword(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname}:${port || 5432}${pathname}`
}
