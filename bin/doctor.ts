import type { Command } from 'commander'
import { readSettings, SETTINGS, type Settings, SettingsError } from '../kernel/settings.ts'
import { database } from './doctor/database.ts'
import { dataFolder, type Finding, nodeVersion, portFree, server } from './doctor/machine.ts'
import { recipe } from './doctor/recipe.ts'
import { answer, paint, table } from './shell.ts'

type Env = Readonly<Record<string, string | undefined>>

export function doctorCommand(program: Command): void {
  program
    .command('doctor [recipe]')
    .description('look at everything that a start needs, and say what to do')
    .option('--json', 'as JSON')
    .action(async (file: string | undefined, flags: { json?: boolean }) => {
      const findings = await examine(process.env, file)
      const settings = shownSettings(process.env)
      if (flags.json) answer(JSON.stringify({ settings, findings }, null, 2))
      else answer([settingsTable(settings), '', ...findings.map(line)].join('\n'))
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    })
}

/** Every finding; each question is asked even where an earlier one failed. */
export async function examine(env: Env, file: string | undefined): Promise<Finding[]> {
  const findings = [nodeVersion(process.versions.node)]
  let settings: Settings
  try {
    settings = readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [...findings, ...error.problems.map((what): Finding => ({ state: 'fail', what }))]
  }
  const asked = [
    dataFolder(settings.dataDir),
    recipe(file, settings, env),
    portFree(settings.port, settings.host),
    database(settings, env),
    server('SMTP_URL', settings.smtpUrl, { smtp: 25, smtps: 465 }),
    server('REDIS_URL', settings.redisUrl, { redis: 6379, rediss: 6379 }),
    server('MONGODB_URL', settings.mongodbUrl, { mongodb: 27017 }),
  ]
  return [...findings, ...(await Promise.all(asked)).flat()]
}

const SIGNS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function line({ state, what, fix }: Finding): string {
  const sign = paint(SIGNS[state], state.padEnd(5))
  return fix ? `${sign} ${what}\n      ${fix}` : `${sign} ${what}`
}

interface Shown {
  name: string
  value: string | null
  about: string
}

const shownSettings = (env: Env): Shown[] =>
  SETTINGS.map(({ name, about, secret }) => ({ name, about, value: env[name] ? (secret ? '***' : env[name]) : null }))

const settingsTable = (settings: readonly Shown[]): string =>
  table(
    ['setting', 'value', 'meaning'],
    settings.map(({ name, value, about }) => [name, value ?? '–', about]),
  )
