/** Decides what a start applies of a recipe: `LARDER_APPLY`. */
import type { Logger } from 'pino'
import { defineOperatorErrors } from '../../base/index.ts'
import type { MigrationSet, Migrations, Ports, Settings } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'
import type { AssembledProduct } from '../product.ts'
import { type AppliedRecipe, appliedRecipe } from './applied-recipe.ts'
import { compareRecipes, type PlannedChange } from './compare.ts'
import { recipeDigest } from './recipe-digest.ts'

const operatorErrors = defineOperatorErrors({
  migrations_pending: [
    'With LARDER_APPLY=never, a process starts only if nothing is to be migrated, and this database lacks: {migrations}.',
    'Run `LARDER_APPLY=safe larder migrate` before.',
  ],
  recipe_not_applied: [
    'With LARDER_APPLY=never, a process starts only with a recipe that was applied to the database, and this one was not.',
    'Run `LARDER_APPLY=safe larder migrate {file}` before.',
  ],
  recipe_removes: [
    'With LARDER_APPLY=safe, the default in production, a start applies what a recipe adds. This one also removes or narrows:\n{changes}\n',
    'To apply it, run `larder recipe apply {file}`; `larder recipe plan {file}` shows all of it.',
  ],
})

type Applying = Pick<AssembledProduct, 'lifecycle' | 'container'> & { readonly ports: Readonly<Ports> }
export interface ApplyOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
  /** Whether the operator has confirmed the plan. */
  readonly confirmed: boolean
}

/** @throws OperatorError `migrations_pending` with `LARDER_APPLY=never`. */
export async function assertMayMigrate(
  migrations: Migrations,
  sets: readonly MigrationSet[],
  { settings, confirmed }: ApplyOptions,
): Promise<void> {
  if (confirmed || settings.apply !== 'never') return
  const { pending } = await migrations.pending(sets, await migrations.applied())
  const names = [...pending].flatMap(([module, own]) => own.map(name => `${module}/${name}`))
  if (names.length > 0) throw operatorErrors.migrations_pending({ migrations: shortList(names) })
}

/**
 * Runs `reconcile` of each module under its lock, and records the recipe. A recipe that was applied before and from which
 * the database has gone on, as in a rolling update or when a deploy is taken back, starts without what it would take away.
 * @throws OperatorError if `LARDER_APPLY` doesn't allow it. Nothing is applied then.
 */
export async function applyRecipe(assembled: Applying, options: ApplyOptions): Promise<void> {
  const { lifecycle, container, ports } = assembled
  const { checked, settings, log, confirmed } = options
  const { migrations, clock } = ports
  const digest = recipeDigest(checked)
  const mode = confirmed ? 'all' : settings.apply
  if (mode === 'never') {
    if ((await migrations.recipeState(digest)) === 'new')
      throw operatorErrors.recipe_not_applied({ file: checked.file })
    return
  }
  await migrations.exclusively('reconcile', async () => {
    const state = mode === 'all' ? 'current' : await migrations.recipeState(digest)
    const refused = state === 'current' ? [] : await refusedChanges(assembled, checked)
    if (refused.length > 0 && state === 'new')
      throw operatorErrors.recipe_removes({ changes: refused.map(describe).join('\n'), file: checked.file })
    const left = new Set(refused.map(({ of }) => of))
    await lifecycle.each('reconcile', async ({ key, module }) => {
      if (!left.has(key)) await container.call(key, module.reconcile)
    })
    if (refused.length === 0) await migrations.writeApplied(appliedRecipe(checked, ports), digest, clock.now())
    else
      log.warn(
        { changes: refused.map(({ subject }) => subject) },
        'started with an earlier recipe; what it would remove stays until larder recipe apply',
      )
  })
}

/** What a start would apply beyond additions. */
async function refusedChanges(
  { lifecycle, container, ports }: Applying,
  checked: CheckedRecipe,
): Promise<PlannedChange[]> {
  const before = (await ports.migrations.readApplied()) as AppliedRecipe | undefined
  // Without an applied recipe there is nothing to remove.
  if (!before) return []
  const after = appliedRecipe(checked, ports)
  const removed = before.modules.filter(key => !after.modules.includes(key))
  const changes: PlannedChange[] = [
    ...removed.map(
      (of): PlannedChange => ({ change: 'remove', of, subject: `module ${of}`, breaks: 'its routes and jobs end' }),
    ),
    ...compareRecipes(before, after),
  ]
  await lifecycle.each('plan', async ({ key, module }) => {
    const planned = (await container.call(key, module.plan)) ?? []
    changes.push(...planned.map(change => ({ of: key, ...change })))
  })
  return changes.filter(({ change, breaks, effect }) => {
    // What rows prevent is refused by `reconcile` itself, with the rows.
    if (effect === 'kept' || effect === 'impossible') return false
    return change === 'remove' || breaks !== undefined || effect === 'narrows'
  })
}

const MAX_NAMED = 10
const shortList = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ')

function describe({ change, subject, detail, breaks }: PlannedChange): string {
  const rest = [detail, breaks].filter(each => each !== undefined && each !== '')
  return `  ${change} ${subject}${rest.length > 0 ? `: ${rest.join('; ')}` : ''}`
}
