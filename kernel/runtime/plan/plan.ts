/** Computes what a recipe would add, change, remove and break in the database. Writes nothing. */
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
import { newModule, removedModule, tableChanges } from './tables.ts'

export interface PlanOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
  readonly clock?: Clock
  /** Whether modules examine servers that the database names. */
  readonly examines?: boolean
  /** Called before each stage, for progress on a terminal. */
  readonly onStep?: (step: string) => void
}
export interface RecipePlan {
  readonly checked: CheckedRecipe
  /** Where the data is, without a password; null if there is no database yet. */
  readonly place: string | null
  readonly changes: readonly PlannedChange[]
  /** What could not be compared, and why. */
  readonly unknown: readonly string[]
  /** What an earlier change of the recipe left to do. */
  readonly reminders: readonly string[]
  /** Problems of servers that the database names. Empty without `examines`. */
  readonly problems: readonly string[]
}

const PLACEHOLDER_SECRET = 'nothing is signed or encrypted with this secret'
const EMPTY: AppliedRecipe = { modules: [], roles: {}, mails: {} }

/** Connects read-only. Throws the first error. */
export async function planRecipe(options: PlanOptions): Promise<RecipePlan> {
  const { checked, settings } = options
  const offline = await assemble(options, [PLACEHOLDER_SECRET], false)
  // Connecting would create the embedded database. Before the first start, everything is new.
  if (!(await portsOf(offline).migrations.exists()))
    return run(offline, async () => ({
      checked,
      place: null,
      changes: await allChanges(offline, checked),
      unknown: [],
      reminders: [],
      problems: [],
    }))
  const assembled = await assemble(options, await loadSecrets(settings), true)
  return run(assembled, async () => {
    const { onStep = () => {} } = options
    onStep('connecting to the database')
    await openSchema(assembled)
    const { place } = portsOf(assembled).migrations
    return { checked, place, ...(await compare({ ...options, onStep }, assembled)) }
  })
}

const assemble = (options: PlanOptions, secrets: readonly string[], connected: boolean): Promise<AssembledProduct> =>
  assembleProduct({ ...options, secrets, process: { role: 'tool', reload: false, connected, readOnly: true } })

async function run<T>({ container, lifecycle }: AssembledProduct, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await lifecycle.stop(container)
  }
}

/** The changes to an empty database. */
async function allChanges(assembled: AssembledProduct, checked: CheckedRecipe): Promise<PlannedChange[]> {
  const ports = portsOf(assembled)
  const { pending } = await ports.migrations.pending(setsOf(checked), new Map())
  return [
    ...checked.modules.flatMap(entry => newModule(entry, pending.get(entry.key))),
    ...compareRecipes(EMPTY, appliedRecipe(checked, ports)),
  ]
}

const setsOf = ({ services, modules }: CheckedRecipe) => migrationSets([...services, ...modules])

type Compared = Pick<RecipePlan, 'changes' | 'unknown' | 'reminders' | 'problems'>
type Running = PlanOptions & { readonly onStep: (step: string) => void }
type State = PendingMigrations & Pick<Migrations, 'refusedWrite'> & { readonly applied: AppliedMigrations }

async function compare(options: Running, assembled: AssembledProduct): Promise<Compared> {
  const { checked } = options
  const { migrations } = portsOf(assembled)
  const applied = await migrations.applied()
  if (applied.size === 0)
    return { changes: await allChanges(assembled, checked), unknown: [], reminders: [], problems: [] }
  const pending = await migrations.pending(setsOf(checked), applied)
  await migrations.open()
  const before = (await migrations.readApplied()) as AppliedRecipe | undefined
  const services = checked.services.map(({ key }) => key)
  const known = before ? [...services, ...before.modules] : [...applied.keys()]
  // Without a recorded recipe, only a module with tables can be recognized as new.
  const isNew = (key: string) => !known.includes(key) && (before !== undefined || pending.pending.has(key))
  const added = checked.modules.filter(({ key }) => isNew(key))
  const keys = checked.modules.map(({ key }) => key)
  const removed = known.filter(key => !services.includes(key) && !keys.includes(key))
  const fromModules = await planModules(options, assembled, {
    ...pending,
    applied,
    refusedWrite: migrations.refusedWrite,
  })
  const after = appliedRecipe(checked, portsOf(assembled))
  return {
    changes: [
      ...added.flatMap(entry => newModule(entry, pending.pending.get(entry.key))),
      ...(await removedModules(migrations, removed)),
      ...tableChanges(pending, isNew),
      ...(before ? compareRecipes(before, after) : []),
      ...fromModules.changes,
    ],
    unknown: [...(before ? [] : ['roles and mail templates: no earlier recipe is recorded']), ...fromModules.unknown],
    reminders: fromModules.reminders,
    problems: fromModules.problems,
  }
}

const removedModules = (migrations: Migrations, keys: readonly string[]): Promise<PlannedChange[]> =>
  Promise.all(keys.map(key => removedModule(migrations, key)))

/** Creates the modules and calls their `plan` hooks. */
async function planModules(options: Running, assembled: AssembledProduct, state: State): Promise<Compared> {
  const { container, lifecycle } = assembled
  const changes: PlannedChange[] = []
  const unknown: string[] = []
  const reminders: string[] = []
  const problems: string[] = []
  await createAll(assembled)
  await lifecycle.each('plan', async entry => {
    if (entry.module.role === 'service') return
    options.onStep(`planning ${entry.key}`)
    const planned = await planModule(entry, plan => container.call(entry.key, plan), state)
    if (typeof planned === 'string') unknown.push(planned)
    else changes.push(...planned.map(change => ({ of: entry.key, ...change })))
    // A pending migration may add what they read.
    if (state.pending.size > 0) return
    reminders.push(...((await container.call(entry.key, entry.module.reminders)) ?? []))
    if (options.examines) problems.push(...((await container.call(entry.key, entry.module.examine)) ?? []))
  })
  unknown.push(...lifecycle.failed().map(({ key, reason }) => `optional module ${key}: ${reason}`))
  return { changes, unknown, reminders, problems }
}

type PlanHook = NonNullable<Definition['plan']>

/** Returns the module's changes, or a sentence if it can't compute them. */
async function planModule(
  { key, module, sections }: RecipeModule,
  call: (plan: PlanHook) => Promise<readonly RecipeChange[]> | undefined,
  { pending, applied, refusedWrite }: State,
): Promise<readonly RecipeChange[] | string> {
  const named = Object.keys(sections).join(', ')
  // A new module, which is reported as a whole.
  if (pending.has(key) && !applied.has(key)) return []
  if (!module.plan) return module.reconcile && named ? `${named}: module ${key} has no plan hook` : []
  try {
    return (await call(module.plan)) ?? []
  } catch (error) {
    if (refusedWrite(error)) throw new Error('its plan hook tried to write to the database', { cause: error })
    // Only pending migrations excuse the failure: the hook may have read a table that they change.
    if (pending.size === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return `${named || key}: known after the pending migrations (${reason})`
  }
}
