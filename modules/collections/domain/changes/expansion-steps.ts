/** Begins and ends what serves an earlier recipe. Pure. */
import { DAY } from '@larder-dev/larder/kernel'
import { historyTableName } from '../declarations/naming.ts'
import type { CollectionLayout, FieldLayout, Working } from '../tables/layout.ts'
import { literal, quoteName } from '../tables/sql-literals.ts'
import { columnSql } from '../tables/table-sql.ts'
import { alter, renameFieldStatements } from './change-statements.ts'
import { completeHistory, physicalLayout, renameExpansion, type StoredExpansion, withName } from './expansion.ts'
import { isKeptIn, renameField } from './layout-changes.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { SchemaStatement, WantedCollection } from './schema-plan.ts'

/** A rename that was rolled back is no longer served after this time. */
const ROLLED_BACK_MS = 30 * DAY

const isRename = (expansion: StoredExpansion, { name }: CollectionLayout): boolean =>
  expansion.collection === name && expansion.names !== null

/** The name in the layout, and the one that an earlier or a later recipe has for it. */
function namesIn({ fields }: CollectionLayout, { names }: StoredExpansion) {
  if (!names) throw new Error('the expansion is no rename')
  const isCopy = fields.some(({ name }) => name === names.copy.name)
  return isCopy ? { main: names.copy, other: names.kept, isCopy } : { main: names.kept, other: names.copy, isCopy }
}

/** Takes the other name of a renamed field if the recipe has it: a rollback, or its repetition. */
export function exchangeNames(plan: PlanBuilder, working: Working, target: CollectionLayout): Working {
  let { layout } = working
  const columns = new Map(working.columns)
  const isWanted = (name: string) => target.fields.some(field => field.name === name)
  for (const expansion of plan.expansions) {
    if (!isRename(expansion, layout)) continue
    const { main, other } = namesIn(layout, expansion)
    if (isWanted(main.name) || !isWanted(other.name)) continue
    layout = withName(layout, main.name, other)
    columns.set(other.name, other.column)
    plan.add({
      change: 'change',
      subject: `field ${layout.name}.${other.name}`,
      detail: `renamed from ${main.name}, and still served as ${main.name}`,
      table: working.table,
    })
  }
  return { ...working, layout, columns }
}

/** Ends renames that the recipe no longer names with `was`, and those whose field changes again. */
export function endRenames(plan: PlanBuilder, working: Working, { layout: target, fieldWas }: WantedCollection): void {
  const { layout } = working
  const isWanted = (name: string) => target.fields.some(field => field.name === name)
  endNames(plan, working, expansion => {
    const { main, other, isCopy } = namesIn(layout, expansion)
    const field = layout.fields.find(({ name }) => name === main.name)
    const isKept = field !== undefined && (field.expression !== null ? isWanted(main.name) : isKeptIn(field, target))
    if (!isKept || isWanted(other.name) || working.table !== layout.table) return true
    return isCopy ? fieldWas.get(main.name) !== other.name : expansion.since < plan.now - ROLLED_BACK_MS
  })
}

/** Ends the renames that `has` selects. */
export function endNames(plan: PlanBuilder, working: Working, has: (expansion: StoredExpansion) => boolean): void {
  const { layout } = working
  for (const expansion of plan.expansions) {
    if (!isRename(expansion, layout) || !has(expansion)) continue
    const { main, other, isCopy } = namesIn(layout, expansion)
    const others = plan.expansions.filter(each => each !== expansion)
    const before = physicalLayout(layout, plan.expansions)
    const after = physicalLayout(layout, others)
    const find = ({ fields }: CollectionLayout, name: string) => fields.find(each => each.name === name) as FieldLayout
    plan.add({
      change: 'change',
      subject: `field ${layout.name}.${main.name}`,
      detail: `no longer served as ${other.name}`,
      table: working.table,
      statements: [
        ...expansion.end.map(sql => ({ sql })),
        ...(isCopy
          ? renameFieldStatements(before, after, find(before, other.name), find(after, main.name))
          : forgetVersions(layout, other.name)),
      ],
      contracts: expansion,
    })
  }
}

const forgetVersions = ({ name, history }: CollectionLayout, field: string): SchemaStatement[] =>
  history
    ? [
        {
          sql: `update ${quoteName(historyTableName(name))} set row = row - ${literal(field)} where row ? ${literal(field)}`,
        },
      ]
    : []

/** Gives a field another name, and serves both until the recipe no longer names the former one. */
export function expandRename(
  plan: PlanBuilder,
  working: Working,
  before: FieldLayout,
  to: FieldLayout,
): CollectionLayout {
  const { layout } = working
  const after = renameField(layout, before, to)
  const renamed = after.fields.find(({ name }) => name === to.name) as FieldLayout
  const physical = physicalLayout(after, plan.expansions)
  const expansion = renameExpansion(
    layout,
    before,
    renamed,
    before.expression === null ? undefined : columnSql(renamed, physical),
  )
  plan.add({
    change: 'change',
    subject: `field ${layout.name}.${to.name}`,
    detail: `renamed from ${before.name}, and still served as ${before.name}`,
    table: working.table,
    statements: completeHistory(expansion, layout.history).map(sql => ({ sql })),
    expands: expansion,
  })
  return after
}

/** The field under the name that its constraints have. */
export function physicalField(plan: PlanBuilder, { name }: CollectionLayout, field: FieldLayout): FieldLayout {
  const found = plan.expansions.find(({ collection, names }) => collection === name && names?.copy.name === field.name)
  return found?.names ? { ...field, column: found.names.kept.column, joinTable: found.names.kept.joinTable } : field
}

/** Ends the second names of computed fields, which are created again. */
export const endComputedNames = (plan: PlanBuilder, working: Working): void =>
  endNames(plan, working, expansion => {
    const { main } = namesIn(working.layout, expansion)
    return working.layout.fields.some(({ name, expression }) => name === main.name && expression !== null)
  })

export const dropColumn = (layout: CollectionLayout, column: string): SchemaStatement =>
  alter(layout, `drop column ${quoteName(column)}`)
