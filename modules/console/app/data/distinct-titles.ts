/** Titles of lists that nobody takes for one another. Pure. */
import { folded } from '../../../../kernel/base/folding.ts'

interface Titled {
  readonly module: string
  readonly name: string
  readonly title: string
  readonly singular: string
  /** The list whose records have this one. */
  readonly within: string | null
  readonly offered: boolean
}

/**
 * Adds to titles that several lists of the navigation have what distinguishes them: `Notes (crm_notes)` for a collection,
 * and the title of the area for others.
 * @param areaOf the title of a module.
 */
export function withDistinctTitles<R extends Titled>(lists: readonly R[], areaOf: (module: string) => string): R[] {
  const isAmong = ({ within, offered }: R): boolean => within === null && offered
  const byTitle = new Map<string, R[]>()
  for (const each of lists.filter(isAmong)) {
    const title = folded(each.title)
    byTitle.set(title, [...(byTitle.get(title) ?? []), each])
  }
  return lists.map(each => {
    const same = isAmong(each) ? (byTitle.get(folded(each.title)) ?? []) : []
    if (same.length < 2) return each
    const isOnly = same.filter(({ module }) => module === each.module).length === 1
    const mark = isOnly && each.module !== 'collections' ? areaOf(each.module) : each.name
    // `Files (files)` says no more than `Files`.
    if (folded(mark) === folded(each.title)) return each
    return { ...each, title: `${each.title} (${mark})`, singular: `${each.singular} (${mark})` }
  })
}
