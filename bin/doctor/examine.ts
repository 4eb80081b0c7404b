import { Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets, isThisMachine } from '../../kernel/base/index.ts'
import { type Settings, SettingsError } from '../../kernel/internal.ts'
import type { CheckedRecipe } from '../../kernel/recipe/index.ts'
import { loadSecrets } from '../../kernel/runtime/index.ts'
import { readSettings } from '../composition.ts'
import { certificate } from './certificate.ts'
import { judgeClock } from './clock.ts'
import { pooler } from './cluster.ts'
import { BACKUP_AGE_DAYS, database } from './database.ts'
import { archives, disk } from './disk.ts'
import { type Finding, within } from './finding.ts'
import { dataFolder, nodeVersion, portFree, server } from './machine.ts'
import { mail } from './mail.ts'
import { neededBySettings, optional } from './packages.ts'
import { askProduct, judgeAnswer, unanswered } from './proxy.ts'
import { recipe } from './recipe.ts'
import { reminders } from './reminders.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface ExamineOptions {
  /** The recipe. */
  readonly file?: string | undefined
  /** Folder of the archives of `larder backup`. */
  readonly backups?: string | undefined
  /** Selector of the DKIM key. */
  readonly dkim?: string | undefined
  /** Name server instead of that of the machine: an address, with a port if it isn't 53. */
  readonly dns?: string | undefined
}
export interface Named extends Finding {
  /** Name of the check. */
  readonly check: string
}

const DNS_TIMEOUT_MS = 3000

/** Runs every check, even after a failed one. Ends in time, whatever servers do. */
export async function examine(env: Env, options: ExamineOptions = {}): Promise<Named[]> {
  const findings = named('node', [nodeVersion(process.versions.node)])
  let settings: Settings
  try {
    settings = readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [
      ...findings,
      ...named(
        'settings',
        error.problems.map((what): Finding => ({ state: 'fail', what })),
      ),
    ]
  }
  const examined = recipe(options.file, settings, env)
  const checked = examined.then(
    ({ checked }) => checked,
    () => undefined,
  )
  const checks: Readonly<Record<string, Promise<Finding[]>>> = {
    packages: Promise.resolve([...optional(), ...neededBySettings(settings)]),
    data: dataFolder(settings.dataDir).then(finding => [finding]),
    recipe: examined.then(({ findings }) => findings),
    port: ports(settings),
    database: database(settings, env),
    pooler: pooler(settings),
    disk: disks(settings, options),
    'public-url': publicUrl(settings, checked),
    mail: checked.then(recipe => mail(settings, recipe, createResolver(options.dns), options.dkim)),
    redis: server('REDIS_URL', settings.redisUrl, { redis: 6379, rediss: 6379 }),
    mongodb: server('MONGODB_URL', settings.mongodbUrl, { mongodb: 27017 }),
  }
  for (const found of await Promise.all(
    Object.entries(checks).map(async ([check, work]) => named(check, await within(check, work))),
  ))
    findings.push(...found)
  if (findings.some(({ state }) => state === 'fail')) return findings
  return [...findings, ...named('reminders', await within('reminders', reminders(options.file, settings, env)))]
}

const named = (check: string, findings: readonly Finding[]): Named[] => findings.map(finding => ({ check, ...finding }))

const ports = async ({ port, metricsPort, host }: Settings): Promise<Finding[]> => [
  await portFree(port, host),
  ...(metricsPort === undefined ? [] : [await portFree(metricsPort, host, 'METRICS_PORT')]),
]

function createResolver(server: string | undefined): Resolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  if (server !== undefined) resolver.setServers([server])
  return resolver
}

async function disks({ dataDir, minFreeDiskBytes }: Settings, { backups }: ExamineOptions): Promise<Finding[]> {
  const folders = {
    LARDER_DATA: dataDir,
    files: join(dataDir, 'media'),
    'temporary files': tmpdir(),
    ...(backups !== undefined && { archives: backups }),
  }
  return [
    ...(await disk(folders, minFreeDiskBytes)),
    ...(backups === undefined
      ? [{ state: 'skip' as const, what: 'no folder of archives is named: --backups FOLDER' }]
      : await archives(backups, Date.now(), BACKUP_AGE_DAYS)),
  ]
}

/** Certificate, proxies and clock: what a visitor meets before the product. */
export async function publicUrl(settings: Settings, recipe: Promise<CheckedRecipe | undefined>): Promise<Finding[]> {
  const address = settings.publicUrl ?? (await recipe)?.product.publicUrl
  if (address === undefined) return [{ state: 'skip', what: 'the recipe is invalid, so the public URL is unknown' }]
  const url = new URL(address)
  if (url.protocol === 'http:' && isThisMachine(url))
    return [{ state: 'skip', what: `${address} is reached from this machine only: no certificate, no proxy` }]
  const insecure: Finding = {
    state: 'warn',
    what: `${address} is not encrypted: passwords and cookies can be read on their way`,
    fix: 'Put a proxy with TLS in front, and set PUBLIC_URL=https://…: see docs/deploy.md#tls.',
  }
  const found = url.protocol === 'https:' ? await certificate(url, Date.now()) : [insecure]
  // Reading the secrets would create one.
  if (settings.secrets.length === 0 && !existsSync(join(settings.dataDir, 'secret')))
    return [...found, { state: 'skip', what: 'without LARDER_SECRET, the product is not asked what proxies tell it' }]
  return [
    ...found,
    ...(await askProduct(url, createSecrets(await loadSecrets(settings))).then(
      answer => [
        ...judgeAnswer(url, answer),
        ...(answer.offsetMs === undefined ? [] : [judgeClock(url.host, answer.offsetMs)]),
      ],
      error => [unanswered(url, error)],
    )),
  ]
}
