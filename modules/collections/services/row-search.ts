/** Reads the pages of a search. Finds the matches with the index first, and then those that the caller may read. */
import { type Deps, wording } from '@larder-dev/larder/kernel'
import {
  countStatement,
  type ListPlan,
  listStatement,
  type Match,
  matchesStatement,
  type PageRange,
  type Statement,
} from '../domain/queries/list-query.ts'
import { badParameter } from '../domain/queries/parameter-errors.ts'
import type { Columns } from '../domain/queries/selection-sql.ts'
import { idOfCursor, isNewestFirst } from '../domain/queries/sorting.ts'
import type { View } from '../domain/rights/view.ts'

/** Newest matches that are ranked, and those that are read at a time. */
const MATCHES = 500
/** Upper bound of matches that are sorted, counted, or ranked if access rules and filters hide too many of the first. */
const MAX_MATCHES = 10_000

export interface RowSearch {
  /** The rows of a page, and one more if there is another page. */
  rows(view: View, plan: ListPlan, range: PageRange): Promise<readonly Columns[]>
  /** Counts at most 10,000 matches. */
  count(view: View, plan: ListPlan): Promise<number>
}

export function createRowSearch({ database }: Deps<'database'>): RowSearch {
  const run = async <Row>(view: View, { text, values }: Statement): Promise<readonly Row[]> =>
    (await database.tenant(view.tenantId).query<Row>(text, values, { scans: true })).rows
  const find = (view: View, plan: ListPlan, limit: number, before?: string) =>
    run<Match>(view, matchesStatement(plan, { before, limit }))
  const read = (view: View, plan: ListPlan, range: PageRange, matches: readonly Match[]) =>
    run<Columns>(view, listStatement(view, plan, { ...range, matches }))

  /** Reads further matches until the page is full. */
  async function newestFirst(view: View, plan: ListPlan, range: PageRange): Promise<readonly Columns[]> {
    const rows: Columns[] = []
    let before = plan.order && idOfCursor(plan.order, range.cursor)
    for (let limit = MATCHES; ; limit = MAX_MATCHES) {
      const matches = await find(view, plan, limit, before)
      rows.push(...(await read(view, plan, { ...range, limit: range.limit - rows.length }, matches)))
      if (rows.length > range.limit || matches.length < limit) return rows
      before = matches.at(-1)?.id
    }
  }

  async function ranked(view: View, plan: ListPlan, range: PageRange): Promise<readonly Columns[]> {
    const matches = await find(view, plan, MATCHES)
    const rows = await read(view, plan, range, matches)
    if (rows.length > range.limit || matches.length < MATCHES) return rows
    return read(view, plan, range, await find(view, plan, MAX_MATCHES))
  }

  async function sorted(view: View, plan: ListPlan, range: PageRange): Promise<readonly Columns[]> {
    const matches = await find(view, plan, MAX_MATCHES + 1)
    if (matches.length > MAX_MATCHES)
      throw badParameter(
        'sort',
        'too_many_matches',
        wording("can't order more than {limit} matches of a search. Search for more words, or sort by -createdAt", {
          limit: MAX_MATCHES,
        }),
      )
    return read(view, plan, range, matches)
  }

  return {
    async rows(view, plan, range) {
      if (!plan.order) return ranked(view, plan, range)
      return isNewestFirst(plan.order) ? newestFirst(view, plan, range) : sorted(view, plan, range)
    },
    async count(view, plan) {
      const matches = await find(view, plan, MAX_MATCHES)
      const [row] = await run<{ total: string }>(view, countStatement(view, plan, matches))
      return Number(row?.total)
    },
  }
}
