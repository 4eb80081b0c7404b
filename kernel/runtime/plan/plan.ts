/** What a recipe would add, change and remove in the database, and what that would break. Nothing is written. */
import type { Logger } from 'pino'
import type { Clock } from '../../base/index.ts'
import type {
  AppliedMigrations,
  Definition,
  Migrations,
  PendingMigrations,
  RecipeChange,
  Settings,
} from '../../contract/index.ts'
import type { CheckedRecipe, RecipeModule } from '../../recipe/index.ts'
import { createAll, migrationSets, openSchema, portsOf } from '../kernel.ts'
import { type AssembledProduct, assembleProduct } from '../product.ts'
import { loadSecrets } from '../secret-file.ts'
import { type AppliedRecipe, appliedRecipe } from './applied-recipe.ts'
import { compareRecipes, type PlannedChange } from './compare.ts'
import { goneModule, newModule, tableChanges } from './tables.ts'

export interface PlanOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
  readonly clock?: Clock
  /** Called before each stage, for progress on a terminal. */
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

const PLACEHOLDER_SECRET = 'nothing is signed or encrypted with this secret'
const EMPTY: AppliedRecipe = { modules: [], roles: {}, mails: {} }

/** Throws the error of what failed. The database itself refuses writes. */
export async function planRecipe(options: PlanOptions): Promise<RecipePlan> {
  const { checked, settings } = options
  const offline = assemble(options, [PLACEHOLDER_SECRET], false)
  // Connecting would create an embedded database: before the first start there is nothing to compare with.
  if (!(await portsOf(offline).migrations.exists()))
    return run(offline, async () => ({
      checked,
      place: null,
      changes: await everything(offline, checked),
      unknown: [],
    }))
  const assembled = assemble(options, await loadSecrets(settings), true)
  return run(assembled, async () => {
    const { onStep = () => {} } = options
    onStep('connecting to the database')
    await openSchema(assembled)
    const { place } = portsOf(assembled).migrations
    return { checked, place, ...(await compare({ ...options, onStep }, assembled)) }
  })
}

const assemble = (options: PlanOptions, secrets: readonly string[], connected: boolean): AssembledProduct =>
  assembleProduct({ ...options, secrets, process: { role: 'tool', reload: false, connected, readOnly: true } })

async function run<T>({ container, lifecycle }: AssembledProduct, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await lifecycle.stop(container)
  }
}

/** For an empty database. */
async function everything(assembled: AssembledProduct, checked: CheckedRecipe): Promise<PlannedChange[]> {
  const { migrations, mailTemplates } = portsOf(assembled)
  const { pending } = await migrations.pending(setsOf(checked), new Map())
  return [
    ...checked.modules.flatMap(entry => newModule(entry, pending.get(entry.key))),
    ...compareRecipes(EMPTY, appliedRecipe(checked, mailTemplates)),
  ]
}

const setsOf = ({ services, modules }: CheckedRecipe) => migrationSets([...services, ...modules])

type Compared = Pick<RecipePlan, 'changes' | 'unknown'>
type Running = PlanOptions & { readonly onStep: (step: string) => void }
type State = PendingMigrations & Pick<Migrations, 'refusedWrite'> & { readonly applied: AppliedMigrations }

async function compare(options: Running, assembled: AssembledProduct): Promise<Compared> {
  const { checked } = options
  const { migrations } = portsOf(assembled)
  const applied = await migrations.applied()
  if (applied.size === 0) return { changes: await everything(assembled, checked), unknown: [] }
  const pending = await migrations.pending(setsOf(checked), applied)
  await migrations.open()
  const before = (await migrations.readApplied()) as AppliedRecipe | undefined
  const services = checked.services.map(({ key }) => key)
  const known = before ? [...services, ...before.modules] : [...applied.keys()]
  // Whether a module without tables is new can't be told where the recipe was not recorded.
  const isNew = (key: string) => !known.includes(key) && (before !== undefined || pending.pending.has(key))
  const fresh = checked.modules.filter(({ key }) => isNew(key))
  const keys = checked.modules.map(({ key }) => key)
  const gone = known.filter(key => !services.includes(key) && !keys.includes(key))
  const asked = await askModules(options, assembled, { ...pending, applied, refusedWrite: migrations.refusedWrite })
  const after = appliedRecipe(checked, portsOf(assembled).mailTemplates)
  return {
    changes: [
      ...fresh.flatMap(entry => newModule(entry, pending.pending.get(entry.key))),
      ...(await goneModules(migrations, gone)),
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

const goneModules = (migrations: Migrations, keys: readonly string[]): Promise<PlannedChange[]> =>
  Promise.all(keys.map(key => goneModule(migrations, key)))

/** Creates the modules as a start would, and asks each for its own plan. */
async function askModules(options: Running, assembled: AssembledProduct, state: State): Promise<Compared> {
  const { container, lifecycle } = assembled
  const changes: PlannedChange[] = []
  const unknown: string[] = []
  await createAll(assembled)
  await lifecycle.each('plan', async entry => {
    if (entry.module.role === 'service') return
    options.onStep(`asking ${entry.key}`)
    const answer = await ask(entry, plan => container.call(entry.key, plan), state)
    if (typeof answer === 'string') unknown.push(answer)
    else changes.push(...answer.map(change => ({ of: entry.key, ...change })))
  })
  unknown.push(...lifecycle.failed().map(({ key, reason }) => `the optional ${key}: it ${reason}`))
  return { changes, unknown }
}

type PlanHook = NonNullable<Definition['plan']>

/** The module's changes; a sentence where it can't tell. */
async function ask(
  { key, module, sections }: RecipeModule,
  call: (plan: PlanHook) => Promise<readonly RecipeChange[]> | undefined,
  { pending, applied, refusedWrite }: State,
): Promise<readonly RecipeChange[] | string> {
  const named = Object.keys(sections).join(', ')
  // All of it is new, and reported already.
  if (pending.has(key) && !applied.has(key)) return []
  if (!module.plan) return module.reconcile && named ? `${named}: the module ${key} tells no plan` : []
  try {
    return (await call(module.plan)) ?? []
  } catch (error) {
    if (refusedWrite(error)) throw new Error('its plan would write to the database', { cause: error })
    // Tables that are still to be changed may be what it asked for; nothing else may be wrong.
    if (pending.size === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return `${named || key}: it can be told only after the tables are changed (${reason})`
  }
}
