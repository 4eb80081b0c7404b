/** Sections of a recipe whose entries are rows of the database: what `plan` says of them, and what `reconcile` writes. */
import type { ManagedRemoval, ManagedRowsDiff, ManagedWrite } from '../base/index.ts'
import type { Deps } from './merged.ts'
import type { RecipeView } from './module.ts'
import type { Unit } from './ports/database.ts'
import type { RecipeChange } from './recipe-change.ts'

/** What the functions of a managed section receive. */
export interface ManagedContext<D, O, S> {
  readonly deps: D
  readonly options: O
  readonly recipe: RecipeView<S>
  /** A transaction of the operator's workspace, with all sections of the module. */
  readonly unit: Unit
}
type ChangeText = Partial<Omit<RecipeChange, 'subject'>>

/** How the rows of a section of a recipe are compared, described and written. */
export interface ManagedSectionSpec<Context, Declared, Row> {
  /** E.g. `form contact`. */
  subject(of: Declared | Row): string
  /** Reads the rows and compares them, usually with `diffManagedRows`. @param lock locks the rows until the unit ends. */
  diff(context: Context, lock: boolean): Promise<ManagedRowsDiff<Declared, Row>>
  /** What a plan says about a write. A row that becomes managed counts as added, unless `change` is given. */
  describeWrite(write: ManagedWrite<Declared, Row>, context: Context): ChangeText | Promise<ChangeText>
  describeRemoval(removal: ManagedRemoval<Row>, context: Context): ChangeText | Promise<ChangeText>
  write(context: Context, write: ManagedWrite<Declared, Row>): Promise<unknown>
  /** Deletes the row, or releases it. */
  remove(context: Context, removal: ManagedRemoval<Row>): Promise<unknown>
  /** Whether a plan lists additions before changes, instead of the order of the recipe. */
  readonly addedFirst?: boolean
}
/** A section of a recipe for `managedSections`. */
export interface ManagedSection<Context> {
  plan(context: Context): Promise<readonly RecipeChange[]>
  apply(context: Context): Promise<void>
}

/** A section whose rows are compared, described and written one by one: first those that are gone. */
export function managedSection<Context, Declared, Row>(spec: ManagedSectionSpec<Context, Declared, Row>) {
  async function describe({ writes, gone }: ManagedRowsDiff<Declared, Row>, context: Context): Promise<RecipeChange[]> {
    const changes: RecipeChange[] = []
    for (const write of writes)
      changes.push({
        change: write.kind === 'change' ? 'change' : 'add',
        subject: spec.subject(write.declared),
        ...(await spec.describeWrite(write, context)),
      })
    if (spec.addedFirst) changes.sort((a, b) => Number(b.change === 'add') - Number(a.change === 'add'))
    for (const removal of gone)
      changes.push({
        change: 'remove',
        subject: spec.subject(removal.row),
        ...(await spec.describeRemoval(removal, context)),
      })
    return changes
  }
  async function write(context: Context, { writes, gone }: ManagedRowsDiff<Declared, Row>): Promise<void> {
    for (const removal of gone) await spec.remove(context, removal)
    for (const each of writes) await spec.write(context, each)
  }
  return {
    /** The parts of `plan` and `apply` after the comparison, for a section that does more. */
    describe,
    write,
    plan: async (context: Context) => describe(await spec.diff(context, false), context),
    apply: async (context: Context) => write(context, await spec.diff(context, true)),
  }
}

/** The hooks `plan` and `reconcile` of a module with these sections, which are planned and written in this order. */
export function managedSections<D extends Deps<'database' | 'operator'>, O, S>(
  ...sections: readonly ManagedSection<ManagedContext<D, O, S>>[]
) {
  const inUnit = <T>(deps: D, work: (unit: Unit) => Promise<T>): Promise<T> =>
    deps.database.tenant(deps.operator.tenantId).transaction(work)
  return {
    plan: (deps: D, options: O, recipe: RecipeView<S>): Promise<readonly RecipeChange[]> =>
      inUnit(deps, async unit => {
        const changes: RecipeChange[] = []
        for (const section of sections) changes.push(...(await section.plan({ deps, options, recipe, unit })))
        return changes
      }),
    reconcile: (deps: D, options: O, recipe: RecipeView<S>): Promise<void> =>
      inUnit(deps, async unit => {
        for (const section of sections) await section.apply({ deps, options, recipe, unit })
      }),
  }
}
