/**
 * The column that a search reads. A trigger keeps it, because a generated column can only be added by rewriting the table,
 * which is locked meanwhile. Pure.
 */

import { hash, identifier } from '../declarations/naming.ts'
import type { CollectionLayout } from './layout.ts'
import { literal, quoteName } from './sql-literals.ts'

/** Words are not stemmed, because rows have no language. */
export const SEARCH_CONFIGURATION = 'simple'
/** Characters per field. */
export const MAX_SEARCHED_LENGTH = 100_000
/** Characters of the words of a row, of which pairs of letters are three: a tsvector has at most 1 MiB. */
const MAX_WORDS_LENGTH = 240_000

export const SEARCH_COLUMN = 'search tsvector'

/** Changes if the column has to be filled again; undefined without a search. */
export const searchIdentity = ({ search, searchVersion, fields }: CollectionLayout): string | undefined =>
  search.length === 0
    ? undefined
    : JSON.stringify([searchVersion, ...search.map(name => fields.find(field => field.name === name)?.column ?? name)])

/** Earlier fields weigh more. @param columns the texts as SQL. */
export function searchValue(columns: readonly string[]): string {
  const length = Math.floor(MAX_WORDS_LENGTH / columns.length)
  return columns
    .map((column, index) => {
      const words = `left(larder_words(left(coalesce(${column}, ''), ${MAX_SEARCHED_LENGTH})), ${length})`
      return `setweight(to_tsvector('${SEARCH_CONFIGURATION}'::regconfig, ${words}), '${'ABCD'[Math.min(index, 3)]}')`
    })
    .join(' || ')
}

const columnsOf = ({ search, fields }: CollectionLayout): string[] =>
  search.map(name => quoteName(fields.find(field => field.name === name)?.column ?? name))

export interface SearchTrigger {
  readonly table: string
  /** Stored as the comment of the trigger: changes if the trigger does. */
  readonly version: string
  readonly create: readonly string[]
}

/** Runs after the triggers that keep the columns of renamed and computed fields. */
export const SEARCH_TRIGGER = 'larder_3_search'

/** Undefined for a collection without a search, and for a generated column of an earlier version. */
export function searchTrigger(layout: CollectionLayout): SearchTrigger | undefined {
  const { table, search, searchVersion } = layout
  if (search.length === 0 || searchVersion !== 3) return undefined
  const create = triggerSql(table, SEARCH_TRIGGER, functionName(table), 'search', columnsOf(layout))
  const version = `larder search ${hash(create.join())}`
  const comment = `comment on trigger ${SEARCH_TRIGGER} on ${quoteName(table)} is ${literal(version)}`
  return { table, version, create: [...create, comment] }
}

const functionName = (table: string): string => identifier(`${SEARCH_TRIGGER}_${table}`)

/** A function, and the trigger that calls it. */
export function triggerSql(
  table: string,
  name: string,
  func: string,
  column: string,
  columns: readonly string[],
): string[] {
  const rowOf = (record: string) => `row(${columns.map(each => `${record}.${each}`).join(', ')})`
  const body = `begin
    if tg_op = 'INSERT' or new.${column} is null or ${rowOf('new')} is distinct from ${rowOf('old')} then
      new.${column} := ${searchValue(columns.map(each => `new.${each}`))};
    end if;
    return new; end`
  return [
    `create or replace function ${quoteName(func)} () returns trigger language plpgsql as ${literal(body)}`,
    `create trigger ${quoteName(name)} before insert or update on ${quoteName(table)} for each row execute function ${quoteName(func)} ()`,
  ]
}
