/** Fills the column of a search anew, beside the one that searches still read. Pure. */
import { identifier } from '../declarations/naming.ts'
import { searchValue, triggerSql } from '../tables/search-column.ts'
import { quoteName } from '../tables/sql-literals.ts'
import type { Expansion } from './expansion.ts'

const FILLED = 'filling_search'

/** Fills another column in batches, which then takes the place of the former one, if there is one. */
export function searchExpansion(
  collection: string,
  table: string,
  columns: readonly string[],
): { readonly expansion: Expansion; readonly index: string } {
  const quoted = columns.map(quoteName)
  const index = identifier(`${table}_${FILLED}_idx`)
  const func = identifier(`larder_2_${table}_${FILLED}`)
  const end = [`drop function if exists ${quoteName(func)} () cascade`]
  const expansion: Expansion = {
    collection,
    field: 'search',
    kind: 'type',
    table,
    // The trigger has filled what was written meanwhile.
    fill: { column: FILLED, value: searchValue(quoted), onlyEmpty: true },
    prepare: [
      `alter table ${quoteName(table)} add column ${FILLED} tsvector`,
      ...triggerSql(table, func, func, FILLED, quoted),
    ],
    concurrent: [
      `drop index concurrently if exists ${quoteName(index)}`,
      `create index concurrently ${quoteName(index)} on ${quoteName(table)} using gin (tenant_id, ${FILLED})`,
    ],
    undo: [...end, `alter table ${quoteName(table)} drop column if exists ${FILLED}`],
    end,
    source: null,
    reads: [],
    names: null,
  }
  return { expansion, index }
}

/** Makes the filled column the one that searches read. */
export const replaceSearch = (table: string, index: string, to: string): string[] => [
  `alter table ${quoteName(table)} drop column if exists search`,
  `alter table ${quoteName(table)} rename column ${FILLED} to search`,
  `alter index ${quoteName(index)} rename to ${quoteName(to)}`,
]
