/**
 * The function that finds the matches of a search. `@@` isn't leakproof, so PostgreSQL evaluates row level security before
 * it, and a statement under a policy can't use the index of a search. The function runs as the role for work across
 * tenants, takes the tenant from the setting of the transaction, never from an argument, and returns IDs. The caller joins
 * them with the table, where its policy and the access rules apply. See decision 0038.
 */

import { hash, identifier } from '../declarations/naming.ts'
import type { CollectionLayout } from './layout.ts'
import { literal, quoteName } from './sql-literals.ts'

/** Newest rows that are read to find out whether a search is frequent, and the matches among them that make it so. */
const PROBED_ROWS = 200
const FREQUENT_MATCHES = 4
/** Newest rows that are read for a frequent search, before the index is used. */
const SCANNED_ROWS = 20_000

export interface SearchFunction {
  readonly name: string
  /** Stored as the comment of the function: changes if the function does. */
  readonly version: string
  readonly createSql: string
}

/** Call as `select id, rank from <name>(query tsquery, before text, newest int)`, newest first. */
export const searchFunctionName = (table: string): string => identifier(`${table}_search`)

/** @param sharedOwner the tenant that owns the rows of shared collections. */
export function searchFunction(layout: CollectionLayout, schema: string, sharedOwner: string): SearchFunction {
  const name = searchFunctionName(layout.table)
  const table = quoteName(layout.table)
  const owner =
    layout.scope === 'shared' ? literal(sharedOwner) : "nullif(pg_catalog.current_setting('larder.tenant', true), '')"
  // No field begins with an underscore: a name of the function must not be a column of the table, such as `owner`.
  const rows = `${table} t where t.tenant_id = _owner and (_before is null or t.id < _before)`
  const createSql = `create or replace function ${quoteName(name)} (query tsquery, before text, newest integer)
    returns table (id text, rank double precision) language plpgsql stable security definer
    set search_path = ${quoteName(schema)}, pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
    #variable_conflict use_column
    declare
      _owner constant text := ${owner};
      _before text := $2;
      _newest integer := $3;
      _found integer;
    begin
      -- A frequent search reads rows from the newest on; the index would return all of its matches.
      if (select count(*) >= ${FREQUENT_MATCHES} from (
          select t.search from ${rows} order by t.id desc limit ${PROBED_ROWS}) p where p.search @@ $1) then
        return query select s.id, ts_rank(s.search, $1)::double precision from (
          select t.id, t.search from ${rows} order by t.id desc limit ${SCANNED_ROWS}) s
          where s.search @@ $1 limit _newest;
        get diagnostics _found = row_count;
        _newest := _newest - _found;
        _before := (select t.id from ${rows} order by t.id desc offset ${SCANNED_ROWS - 1} limit 1);
        if _newest <= 0 or _before is null then return; end if;
      end if;
      return query with matches as materialized (select t.id from ${rows} and t.search @@ $1),
        latest as (select m.id from matches m order by m.id desc limit _newest)
        select t.id, ts_rank(t.search, $1)::double precision from latest l
        join ${table} t on t.tenant_id = _owner and t.id = l.id order by t.id desc;
    end $$`
  return { name, version: `larder search ${hash(createSql)}`, createSql }
}
