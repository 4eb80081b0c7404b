/** Runs Larder in separate processes on a temporary database. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { HOUR } from '../../kernel/base/units.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { type Env, type RunningCommand, spawnLarder, temporaryFolder } from '../bin/command.ts'
import { connectAsOwner, type OwnerClient } from './fixtures.ts'

export type Test = Pick<ExecutionContext, 'teardown'>

export interface LarderProcess extends RunningCommand {
  readonly url: string
}
export interface Installation {
  readonly databaseUrl: string
  readonly owner: OwnerClient
  /** Does not wait until the process is ready. */
  spawn(part: 'start' | 'web' | 'worker', env?: Env): RunningCommand
  /** Resolves when the server responds or the worker runs. */
  startProcess(part: 'start' | 'web' | 'worker', env?: Env): Promise<LarderProcess>
}

export interface InstallationOptions {
  /** A temporary empty database by default. */
  readonly databaseUrl?: string
  /** YAML of a recipe; the full recipe by default. */
  readonly recipe?: string
}

/** The full recipe, with more seats than the three of its free plan. */
export const RECIPE_WITH_MANY_SEATS = `recipe: 1
extends: larder/full
product: { key: roomy, name: Roomy, publicUrl: "http://localhost:8080" }
plans:
  free: { name: Free, price: 0, currency: EUR, entitlements: { media.storage_gb: 1, identity.seat: 100000 } }
`

/** Creates a database and a recipe, which are removed after the test. */
export async function createInstallation(
  t: Test,
  { databaseUrl, recipe: text }: InstallationOptions = {},
): Promise<Installation> {
  const cwd = await temporaryFolder(t)
  const database = databaseUrl ? undefined : await createTestDatabase({ migrations: [] })
  const ownerUrl = databaseUrl ?? (database?.ownerUrl as string)
  const owner = connectAsOwner(ownerUrl)
  t.teardown(async () => {
    await owner.end()
    await database?.drop()
  })
  const recipe = text ? join(cwd, 'recipe.yaml') : fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  if (text) await writeFile(recipe, text)
  const settings = {
    DATABASE_URL: ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: '0',
    RATE_LIMITS: 'off',
  }
  const spawn: Installation['spawn'] = (part, env = {}) =>
    spawnLarder(t, [part, recipe], cwd, { ...settings, ...env }, HOUR)
  return {
    databaseUrl: ownerUrl,
    owner,
    spawn,
    async startProcess(part, env) {
      const running = spawn(part, env)
      const [, url = ''] = await running.waitForOutput(
        part === 'worker' ? /(worker is running)/ : /is running at (http:\S+)/,
      )
      return { ...running, url }
    },
  }
}

/** Waits for the end of the process and returns its exit code. */
export async function kill(
  { child, ended }: RunningCommand,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number | null> {
  child.kill(signal)
  return (await ended).code
}
