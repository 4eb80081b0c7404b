/** What a recipe says that no module keeps in a table of its own, as it was when it was last applied. */

import { createHash } from 'node:crypto'
import { findMail } from '../../../services/templates/mail-files.ts'
import type { Database, RoleEntry } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'
import { createAccess } from '../../recipe/index.ts'

export interface AppliedRecipe {
  /** Keys, in their order. */
  readonly modules: readonly string[]
  readonly roles: Readonly<Record<string, Pick<RoleEntry, 'name' | 'scope' | 'permissions' | 'from'>>>
  /** Key → who brings it, and a hash that changes with any of its files. */
  readonly mails: Readonly<Record<string, { readonly from: string; readonly digest: string }>>
}

const WHY = 'the recipe that was applied belongs to no tenant'
const UNDEFINED_TABLE = '42P01'

/** Reads the files of mail templates, and nothing else. */
export function appliedBy({ modules, roles, emails }: CheckedRecipe): AppliedRecipe {
  const sets = modules.flatMap(({ key, module }) => (module.emails ? [{ module: key, folder: module.emails }] : []))
  const { families } = findMail(sets, emails)
  const known = createAccess(modules, roles).roles()
  return {
    modules: modules.map(({ key }) => key).sort(),
    roles: Object.fromEntries(
      known.map(({ key, name, scope, permissions, from }) => [
        key,
        { name, scope, permissions: [...permissions].sort(), from },
      ]),
    ),
    mails: Object.fromEntries(
      [...families.values()].map(({ key, source, bodies, texts }) => [
        key,
        { from: source, digest: digestOf([...bodies, ...texts].map(([locale, { text }]) => [locale, text])) },
      ]),
    ),
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** Undefined on a database whose last recipe was applied by a Larder that did not note it. */
export async function readApplied(database: Database): Promise<AppliedRecipe | undefined> {
  try {
    const { rows } = await database
      .system(WHY)
      .query<{ applied: AppliedRecipe }>('select applied from larder_applied_recipe')
    return rows[0]?.applied
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined
    throw error
  }
}

/** Writes nothing where nothing changed: it runs at each start. */
export async function keepApplied(database: Database, applied: AppliedRecipe, now: number): Promise<void> {
  await database.system(WHY).query(
    `insert into larder_applied_recipe (applied, applied_at) values ($1::jsonb, $2)
     on conflict (only_one) do update set applied = excluded.applied, applied_at = excluded.applied_at
     where larder_applied_recipe.applied is distinct from excluded.applied`,
    [JSON.stringify(applied), new Date(now)],
  )
}
