/** What a recipe would add, change and remove in the database, and what that would break. Nothing is written. */

import { readdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Connection, connect } from '../../../services/postgres/connect.ts'
import { type Applied, type Pending, pendingMigrations } from '../../../services/postgres/pending.ts'
import { createLook } from '../../../services/templates/presentation.ts'
import type { Clock } from '../../base/index.ts'
import type { RecipeChange, RecipeView } from '../../contract/index.ts'
import type { CheckedRecipe, RecipeModule } from '../../recipe/index.ts'
import { makeModules } from '../make.ts'
import { KERNEL, migrationSets } from '../migration-sets.ts'
import type { Settings } from '../settings.ts'
import { appliedBy, readApplied } from './applied-recipe.ts'
import { compareRecipes, type PlannedChange } from './compare.ts'
import { goneModule, newModule, tableChanges } from './tables.ts'

export interface PlanOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
  readonly clock?: Clock
  /** Told before each stage, for a person who waits. */
  readonly onStep?: (step: string) => void
}
export interface RecipePlan {
  readonly checked: CheckedRecipe
  /** Where the data is, without a password; null where there is none yet. */
  readonly place: string | null
  readonly changes: readonly PlannedChange[]
  /** What could not be looked at, and why. */
  readonly unknown: readonly string[]
}

/** Throws the error of what failed. PostgreSQL itself refuses whatever would be written. */
export async function planRecipe(options: PlanOptions): Promise<RecipePlan> {
  const { checked, settings, log, onStep = () => {} } = options
  if (await isUntouched(settings)) return { checked, place: null, changes: await everything(checked), unknown: [] }
  onStep('connecting to the database')
  const connection = await connect(settings, log, 'larder plan', { readOnly: true })
  try {
    return { checked, place: connection.place, ...(await compare({ ...options, onStep }, connection)) }
  } finally {
    await connection.close()
  }
}

/** Connecting would make the embedded database: before the first start there is nothing to compare with. */
async function isUntouched({ databaseUrl, dataDir, secrets }: Settings): Promise<boolean> {
  if (databaseUrl) return false
  try {
    const kept = await readdir(dataDir)
    return secrets.length === 0 && !kept.includes('secret')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/** For a database in which there is nothing. */
async function everything(checked: CheckedRecipe): Promise<PlannedChange[]> {
  const { waiting } = await pendingMigrations(migrationSets(checked), new Map())
  return [
    ...checked.modules.flatMap(entry => newModule(entry, waiting.get(entry.key))),
    ...compareRecipes({ modules: [], roles: {}, mails: {} }, appliedBy(checked)),
  ]
}

type Compared = Pick<RecipePlan, 'changes' | 'unknown'>
type Running = PlanOptions & { readonly onStep: (step: string) => void }

async function compare(options: Running, connection: Connection): Promise<Compared> {
  const { checked } = options
  const { db } = connection
  const applied = await db.applied()
  if (!applied.has(KERNEL)) return { changes: await everything(checked), unknown: [] }
  const pending = await pendingMigrations(migrationSets(checked), applied)
  const [before, after] = [await readApplied(db.database), appliedBy(checked)]
  const known = before ? [KERNEL, ...before.modules] : [...applied.keys()]
  // Of a module without tables nobody can say whether it was there, where that was not noted.
  const isNew = (key: string) => !known.includes(key) && (before !== undefined || pending.waiting.has(key))
  const fresh = checked.modules.filter(({ key }) => isNew(key))
  const gone = known.filter(key => key !== KERNEL && !after.modules.includes(key))
  const asked = await askModules(options, connection, { ...pending, applied })
  return {
    changes: [
      ...fresh.flatMap(entry => newModule(entry, pending.waiting.get(entry.key))),
      ...(await Promise.all(gone.map(key => goneModule(db.database, key)))),
      ...tableChanges(pending, isNew),
      ...(before ? compareRecipes(before, after) : []),
      ...asked.changes,
    ],
    unknown: [
      ...(before ? [] : ['roles and mail templates: what the recipe said of them before was not noted']),
      ...asked.unknown,
    ],
  }
}

/** Makes the modules as a start would, and asks each for its own plan. */
async function askModules(
  options: Running,
  connection: Connection,
  state: Pending & { readonly applied: Applied },
): Promise<Compared> {
  const operator = { tenantId: await connection.db.operatorTenantId() }
  const look = createLook(options)
  const { made, staff, recipe } = await makeModules({ ...options, role: 'tool', connection, operator, look })
  const changes: PlannedChange[] = []
  const unknown: string[] = []
  try {
    await staff.each('plan', async entry => {
      options.onStep(`asking ${entry.key}`)
      const answer = await ask(entry, staff.view(entry.module), { ...recipe, sections: entry.sections }, state)
      if (typeof answer === 'string') unknown.push(answer)
      else changes.push(...answer.map(change => ({ of: entry.key, ...change })))
    })
    unknown.push(...staff.failed().map(({ key, reason }) => `the optional ${key}: it ${reason}`))
    return { changes, unknown }
  } finally {
    await staff.stop()
    await made.close()
  }
}

/** What a module tells; a sentence where it cannot. */
async function ask(
  { key, module, options, sections }: RecipeModule,
  deps: object,
  recipe: RecipeView,
  { waiting, applied }: Pending & { readonly applied: Applied },
): Promise<readonly RecipeChange[] | string> {
  const named = Object.keys(sections).join(', ')
  // All of it is new, which is told already.
  if (waiting.has(key) && !applied.has(key)) return []
  if (!module.plan) return module.reconcile && named ? `${named}: the module ${key} tells no plan` : []
  try {
    return await module.plan(deps as never, options as never, recipe as never)
  } catch (error) {
    if (isWrite(error)) throw new Error('its plan would write to the database', { cause: error })
    // Tables that are still to be changed may be what it asked for; nothing else may be wrong.
    if (waiting.size === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return `${named || key}: it can be told only after the tables are changed (${reason})`
  }
}

const READ_ONLY = '25006'

function isWrite(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code === READ_ONLY || cause?.code === READ_ONLY
}
