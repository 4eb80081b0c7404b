/** The stored dumps, each a folder beside this file's source. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Answers } from './reads.ts'
import type { Seeded } from './seed.ts'

export const UPGRADES = fileURLToPath(new URL('test/upgrade', packageRoot))
export const UPGRADE_RECIPE = join(UPGRADES, 'recipe.yaml')
/** The secret of the installation in the dumps, which nobody runs. */
export const UPGRADE_SECRET = 'the secret of the installations in test/upgrade'

export interface Dump {
  readonly name: string
  /** When it was made. */
  readonly at: string
  readonly ids: Seeded
  readonly answers: Answers
  readonly sql: string
  readonly media: string
}

export async function storedDumps(): Promise<Dump[]> {
  const entries = await readdir(UPGRADES, { withFileTypes: true })
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async name => {
      const folder = join(UPGRADES, name)
      const stored = JSON.parse(await readFile(join(folder, 'answers.json'), 'utf8'))
      return {
        name,
        ...stored,
        sql: await readFile(join(folder, 'database.sql'), 'utf8'),
        media: join(folder, 'media'),
      }
    }),
  )
}
