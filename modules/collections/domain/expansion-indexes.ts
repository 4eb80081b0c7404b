/** Indexes of columns that serve a field under its second name. Pure. */
import { copiedLayout, type Expansion, physicalLayout } from './expansion.ts'
import type { CollectionLayout } from './layout.ts'
import { hash, identifier } from './naming.ts'
import { type IndexSpec, indexesOf } from './table-sql.ts'

/** Not unique: a value that is taken violates the index of the first name only, which both recipes know. */
export function copyIndexes(layout: CollectionLayout, expansions: readonly Expansion[]): IndexSpec[] {
  const kept = new Set(indexesOf(physicalLayout(layout, expansions)).map(({ name }) => name))
  return indexesOf(copiedLayout(layout, expansions))
    .filter(({ name, table }) => table === layout.table && !kept.has(name))
    .map(index => ({
      ...index,
      unique: false,
      name: identifier(`${index.table}_${hash(`${index.definition} copy`)}_idx`),
    }))
}
