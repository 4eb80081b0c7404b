/** Titles and icons of the groups of the navigation. */
import { byNames } from '../../../../kernel/base/compare.ts'
import { bilingual } from '../locales/bilingual.ts'
import { localized } from '../locales/index.ts'
import { areaTitle } from './area-titles.ts'

/** The rows of the product's collections, which have no heading. */
export const COLLECTIONS = 'collections'
export const PLATFORM = 'platform'

/** In the order that they have by default. Groups of modules follow, and the platform. */
const ICONS: Readonly<Record<string, string>> = {
  [COLLECTIONS]: 'table-2',
  people: 'users',
  content: 'file-text',
  money: 'credit-card',
  messages: 'mail',
  product: 'box',
}
const titles = bilingual({
  people: 'People',
  content: 'Content',
  money: ['Money', 'Finanzen'],
  messages: 'Messages',
  product: ['Product', 'Produkt'],
})

export const groupTitle = (id: string): string =>
  (localized(titles) as Readonly<Record<string, string>>)[id] ?? areaTitle(id)

export const groupIcon = (id: string): string => (id === PLATFORM ? 'settings' : (ICONS[id] ?? 'blocks'))

/** @param first groups that the recipe puts first. */
export function orderedGroups(ids: readonly string[], first: readonly string[]): readonly string[] {
  const standard = Object.keys(ICONS)
  const rank = (id: string): number => {
    if (id === PLATFORM) return Number.POSITIVE_INFINITY
    const index = [...first, ...standard].indexOf(id)
    return index < 0 ? first.length + standard.length : index
  }
  return ids.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one === other ? byNames(groupTitle(a), groupTitle(b)) : one - other
  })
}
