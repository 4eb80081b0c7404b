/**
 * What the home screen counts and draws: the cards of the recipe and of modules, or the product's collections. Without React.
 */
import type { Api, Resource } from '../../public.ts'
import type { Reader } from './reader.ts'

export type Step = 'day' | 'week' | 'month'

export interface NumberCard {
  readonly id: string
  readonly title: string
  readonly resource: Resource
  readonly filters: readonly Api.HomeCardFilter[]
}
export interface RowChart extends NumberCard {
  readonly kind: 'rows'
  readonly by: Step
  readonly time: string | null
  readonly sum: string | null
}
/** Figures of the whole installation. */
export interface BusinessChart {
  readonly kind: 'revenue' | 'signUps'
  readonly id: string
  readonly by: Step
}
export type ChartCard = RowChart | BusinessChart

/** Collections of the default. */
const MAX_COLLECTIONS = 8

const COLLECTIONS = 'collections'
export const isCollection = ({ module }: Resource): boolean => module === COLLECTIONS

/** Lists of rows: neither trash nor versions. */
export const collectionsOf = (resources: readonly Resource[]): readonly Resource[] =>
  resources.filter(
    resource =>
      isCollection(resource) &&
      resource.offered &&
      resource.listed &&
      resource.within === null &&
      !resource.name.endsWith('-trash'),
  )

const numberOf = (resource: Resource): NumberCard => ({
  id: resource.id,
  title: resource.title,
  resource,
  filters: [],
})

export interface Cards {
  readonly numbers: readonly NumberCard[]
  readonly charts: readonly ChartCard[]
}

/** @param cards as `GET /v1/console/home` returns them */
export function cardsOf(cards: readonly Api.HomeCard[], { resources, hasArea, mayOnPlatform }: Reader): Cards {
  const declared = cards.flatMap((card): (Api.HomeCard & { readonly of: Resource })[] => {
    const of = resources.find(({ id, offered }) => id === card.resource && offered)
    return of ? [{ ...card, of }] : []
  })
  const ofKind = (kind: Api.HomeCard['kind']) => declared.filter(card => card.kind === kind)
  const collections = collectionsOf(resources).slice(0, MAX_COLLECTIONS)
  const counts = ofKind('count').map(
    ({ id, title, of, filters }): NumberCard => ({ id, title: title ?? of.title, resource: of, filters }),
  )
  const charts = ofKind('chart').map(
    ({ id, title, of, filters, by, time, sum }): RowChart => ({
      kind: 'rows',
      id,
      title: title ?? of.title,
      resource: of,
      filters,
      by: by ?? 'day',
      time,
      sum,
    }),
  )
  const business: BusinessChart[] =
    // Who may do everything may also do what no module of the product offers.
    hasArea('billing') && resources.some(({ module }) => module === 'billing') && mayOnPlatform('billing.revenue.read')
      ? [
          { kind: 'revenue', id: 'revenue', by: 'day' },
          { kind: 'signUps', id: 'signUps', by: 'day' },
        ]
      : []
  const standard = collections.map(
    (resource): RowChart => ({ ...numberOf(resource), kind: 'rows', by: 'day', time: null, sum: null }),
  )
  return {
    numbers: counts.length > 0 ? counts : collections.map(numberOf),
    charts: [...charts, ...business, ...(charts.length > 0 ? [] : standard)],
  }
}

/** The first day of the period, `count` periods before this one, by the calendar of the reader: `2026-11-29`. */
export function dayBefore(count: number, by: Step, now = new Date()): string {
  const days = by === 'day' ? count : by === 'week' ? count * 7 : 0
  const day = by === 'month' ? 1 : now.getDate() - days
  const start = new Date(now.getFullYear(), now.getMonth() - (by === 'month' ? count : 0), day, 12)
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${start.getFullYear()}-${pad(start.getMonth() + 1)}-${pad(start.getDate())}`
}

/** The route that counts the rows of a collection, with its parameters. */
export const countPath = (
  { resource, filters }: Pick<NumberCard, 'resource' | 'filters'>,
  query: Readonly<Record<string, string | null>> = {},
): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  )
  const parameters = new URLSearchParams([
    ...filters.map(({ name, value }): [string, string] => [name, value]),
    ...given,
  ])
  const text = parameters.toString()
  return `${resource.operations.list.path}/aggregate${text === '' ? '' : `?${text}`}`
}

/** Periods that can be chosen, in steps. */
export const PERIODS = { day: [7, 30, 90], week: [4, 13, 26], month: [3, 6, 12] } as const
/** The one that is shown first. */
export const STANDARD = 1

/** This period and the one before it, `count` steps each. */
const spanOf = (by: Step, count: number) => ({
  from: dayBefore(2 * count - 1, by),
  to: dayBefore(0, by),
  // That in which days begin. The first use of `Intl` takes a browser a while, and must not delay the first paint.
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** Parameters of the route that counts the rows of a chart. */
export const periodOf = ({ by, time, sum }: RowChart, count: number = PERIODS[by][STANDARD]) => ({
  by,
  time,
  sum,
  ...spanOf(by, count),
})

export const revenueQuery = (count: number = PERIODS.day[STANDARD]) => ({ by: 'day' as const, ...spanOf('day', count) })

/** Parameters of the route that counts the rows of this week and of the last one. */
export const thisWeek = () => ({ by: 'week', ...spanOf('week', 1) })

/** The filters of a list in its address. Values of one name are separated by commas. */
export function listFilters(filters: NumberCard['filters']): Readonly<Record<string, string>> {
  const found = new Map<string, Set<string>>()
  for (const { name, value } of filters) found.set(name, (found.get(name) ?? new Set()).add(value))
  return Object.fromEntries([...found].map(([name, values]) => [name, [...values].join(',')]))
}

/** As the route that counts rows answers. */
export interface Counted {
  readonly data: readonly {
    readonly start?: string
    readonly count: number
    readonly sum?: Readonly<Record<string, number | null>>
  }[]
}
