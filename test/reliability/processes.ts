/** Larder as processes of its own on a database of the test's own. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { HOUR } from '../../kernel/base/units.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { begin, type Env, folder, type Running } from '../bin/command.ts'
import { asOwner, type Owner } from './fixtures.ts'

export type Test = Pick<ExecutionContext, 'teardown'>

export interface Larder extends Running {
  readonly url: string
}
export interface House {
  readonly databaseUrl: string
  readonly owner: Owner
  /** Says nothing of readiness. */
  spawn(part: 'start' | 'web' | 'worker', env?: Env): Running
  /** Resolves when it answers, or drains. */
  up(part: 'start' | 'web' | 'worker', env?: Env): Promise<Larder>
}

export interface HouseOptions {
  /** An empty one of its own by default. */
  readonly databaseUrl?: string
  /** YAML of a recipe; the full one by default. */
  readonly recipe?: string
}

/** The full recipe, whose free plan has three seats, with seats for all whom a test invites. */
export const ROOMY = `recipe: 1
extends: larder/full
product: { key: roomy, name: Roomy, publicUrl: "http://localhost:8080" }
plans:
  free: { name: Free, price: 0, currency: EUR, entitlements: { media.storage_gb: 1, identity.seat: 100000 } }
`

/** A database and a recipe; all of it goes with the test. */
export async function house(t: Test, { databaseUrl, recipe: text }: HouseOptions = {}): Promise<House> {
  const cwd = await folder(t)
  const made = databaseUrl ? undefined : await createTestDatabase({ migrations: [] })
  const ownerUrl = databaseUrl ?? (made?.ownerUrl as string)
  const owner = asOwner(ownerUrl)
  t.teardown(async () => {
    await owner.end()
    await made?.drop()
  })
  const recipe = text ? join(cwd, 'recipe.yaml') : fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  if (text) await writeFile(recipe, text)
  const settings = {
    DATABASE_URL: ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: '0',
    RATE_LIMITS: 'off',
  }
  const spawn: House['spawn'] = (part, env = {}) => begin(t, [part, recipe], cwd, { ...settings, ...env }, HOUR)
  return {
    databaseUrl: ownerUrl,
    owner,
    spawn,
    async up(part, env) {
      const running = spawn(part, env)
      const [, url = ''] = await running.saying(part === 'worker' ? /(worker is running)/ : /is running at (http:\S+)/)
      return { ...running, url }
    },
  }
}

/** By its own handle, and waits for its end. */
export async function kill({ child, ended }: Running, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  child.kill(signal)
  return (await ended).code
}
