import { readVariable, type Settings, SettingsError } from '../../kernel/internal.ts'
import { readSettings } from '../composition.ts'
import { database } from './database.ts'
import { dataFolder, type Finding, nodeVersion, portFree, server } from './machine.ts'
import { neededBySettings, optional } from './packages.ts'
import { recipe } from './recipe.ts'
import { reminders } from './reminders.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs every check, even after a failed one. */
export async function examine(env: Env, file: string | undefined): Promise<Finding[]> {
  const findings = [nodeVersion(process.versions.node)]
  let settings: Settings
  try {
    settings = readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [...findings, ...error.problems.map((what): Finding => ({ state: 'fail', what }))]
  }
  const checks = [
    dataFolder(settings.dataDir),
    recipe(file, settings, env),
    portFree(settings.port, settings.host),
    ...(settings.metricsPort === undefined ? [] : [portFree(settings.metricsPort, settings.host, 'METRICS_PORT')]),
    database(settings, env),
    server('SMTP_URL', readVariable(env, 'SMTP_URL'), { smtp: 25, smtps: 465 }),
    server('REDIS_URL', settings.redisUrl, { redis: 6379, rediss: 6379 }),
    server('MONGODB_URL', settings.mongodbUrl, { mongodb: 27017 }),
  ]
  const examined = (await Promise.all(checks)).flat()
  const canPlan = !examined.some(({ state }) => state === 'fail')
  return [
    ...findings,
    ...optional(),
    ...neededBySettings(settings),
    ...examined,
    ...(canPlan ? await reminders(file, settings, env) : []),
  ]
}
