/** Changes of the filters in the URL. Each starts from the URL of the moment, so that none undoes one before it. */
import { useNavigate } from '@tanstack/react-router'
import type { ListSearch } from '../data/list.ts'

/** Empty values are left out. */
export function withFilters({ filters, ...search }: ListSearch, next: Readonly<Record<string, string>>): ListSearch {
  const set = Object.entries({ ...filters, ...next }).filter(([, value]) => value !== '')
  return { ...search, ...(set.length > 0 && { filters: Object.fromEntries(set) }) }
}

/** Changes filters, and what the list is searched for with `q`. Empty values are left out. */
export function useFilterChange() {
  const navigate = useNavigate()
  return ({ q: nextQ, ...next }: Readonly<Record<string, string>>) => {
    const change = ({ q, ...search }: ListSearch): ListSearch => {
      const words = nextQ ?? q
      return { ...withFilters(search, next), ...(words && { q: words }) }
    }
    return navigate({ to: '.', search: change, replace: true, resetScroll: false })
  }
}
