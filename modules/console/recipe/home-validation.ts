/** Reports cards of the home screen that nothing can answer. */
import { isRecord, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { asQuery, filterParameters, unknownVariables, VARIABLES, type Variables } from '../domain/home-cards.ts'
import type { ConsoleOptions, DeclaredCard } from '../options.ts'

/** Values that fields of the fitting type accept. */
const SAMPLES: Variables = {
  $member: `mem_${'0'.repeat(26)}`,
  $user: `usr_${'0'.repeat(26)}`,
  $today: '2026-01-01',
  $now: '2026-01-01T00:00:00Z',
}
const OF_CHARTS = ['by', 'time', 'sum'] as const

export function validateHome(recipe: ValidatedRecipe<ConsoleOptions>): readonly RecipeDiagnostic[] {
  const { home } = recipe.options
  const path = ['modules', 'console', 'home']
  if (!home || home.length === 0 || !recipe.isEntirelyValid(path)) return []
  const collections = recipe.section('collections')
  if (isRecord(collections) && !recipe.isEntirelyValid(['collections'])) return []
  const check = recipe.pageData()
  if (!check)
    return [
      {
        path,
        code: 'missing_module',
        message: 'This recipe has no module collections',
        hint: 'Add collections: {} to modules',
        ownFilesOnly: true,
      },
    ]
  return home.flatMap((card, index) =>
    mistakesOf(card, (name, parameters) => check.count(name, parameters)).map(({ within: at = [], ...mistake }) => ({
      ...mistake,
      path: [...path, index, ...at],
      // A recipe that extends a shipped one can leave out its collections.
      ownFilesOnly: true,
    })),
  )
}

interface Mistake extends Pick<RecipeDiagnostic, 'code' | 'message' | 'hint' | 'at'> {
  /** The place in the card; that of the card itself without it. */
  readonly within?: readonly string[]
}
type Count = (collection: string, parameters: Readonly<Record<string, string | readonly string[]>>) => readonly string[]

function mistakesOf(card: DeclaredCard, count: Count): Mistake[] {
  const { chart, filter } = card
  const collection = card.count ?? chart
  if (collection === undefined || (card.count !== undefined && chart !== undefined))
    return [
      {
        code: 'invalid_card',
        message: 'A card has either count or chart',
        hint: 'Write count: or chart: with the name of a collection',
      },
    ]
  const [misplaced] = chart === undefined ? OF_CHARTS.filter(key => card[key] !== undefined) : []
  if (misplaced)
    return [
      {
        within: [misplaced],
        at: 'key',
        code: 'invalid_card',
        message: `${misplaced} is for charts`,
        hint: `Remove it, or write chart: ${collection}`,
      },
    ]
  const place = card.count === undefined ? 'chart' : 'count'
  // What the API says of a parameter ends a sentence that begins with it.
  const ask = (within: readonly string[], parameters: Parameters<Count>[1]): Mistake[] =>
    count(collection, parameters).map(text => ({ within, code: 'invalid_card', message: `${within.at(-1)} ${text}` }))
  const unknown = count(collection, {})
  if (unknown.length > 0)
    return unknown.map(text => {
      const [message = text, hint] = text.split('. ')
      return { within: [place], code: 'unknown_collection', message: capitalized(message), ...(hint && { hint }) }
    })
  const [variable] = filter ? unknownVariables(filter) : []
  if (variable !== undefined)
    return [
      {
        within: ['filter'],
        code: 'unknown_variable',
        message: `Unknown variable "${variable}"`,
        hint: `Variables of filters are ${VARIABLES.join(', ')}`,
      },
    ]
  const { by = 'day', time, sum } = card
  return [
    ...Object.entries(filter ?? {}).flatMap(([field, given]) =>
      ask(['filter', field], asQuery(filterParameters({ [field]: given }, SAMPLES))),
    ),
    ...(time === undefined ? [] : ask(['time'], { by, time })),
    ...(sum === undefined ? [] : ask(['sum'], { sum })),
  ]
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
