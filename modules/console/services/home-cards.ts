/** Cards of the home screen, of the recipe and of modules. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import { filterParameters, type Variables } from '../domain/home-cards.ts'
import type { ConsoleOptions, DeclaredCard } from '../options.ts'
import type { HomeCard as ModuleCard } from '../ports.ts'
import type { HomeCard } from '../records/home-card.ts'
import type { MayOpenList } from './list-access.ts'

export interface HomeCards {
  /** Throws an Error that lists every mistake in the cards of modules. */
  check(): void
  /** Those whose records the caller may list. @param locale of the titles. */
  list(caller: Caller, locale: string): readonly HomeCard[]
}

interface Declared {
  readonly id: string
  /** Undefined: whoever may list the records sees the card. */
  readonly permission: string | undefined
  readonly resource: string
  readonly card: DeclaredCard
}

type Needs = Deps<'registry' | 'theme' | 'clock'> & { readonly mayOpenList: MayOpenList }

export function createHomeCards(
  { registry, theme, clock, mayOpenList }: Needs,
  { home = [] }: ConsoleOptions,
): HomeCards {
  const ofModules = registry
    .collect<readonly ModuleCard[]>('homeCards')
    .flatMap(({ key, value }) => value.map(card => ({ key, card })))
  const all: readonly Declared[] = [
    ...home.map((card, index) => ({
      id: `recipe.${index}`,
      permission: undefined,
      resource: `collections.${card.count ?? card.chart}`,
      card,
    })),
    ...ofModules.map(({ key, card }) => ({
      id: `${key}.${card.name}`,
      permission: card.permission,
      resource: 'count' in card ? card.count : `collections.${card.chart}`,
      card,
    })),
  ]
  return {
    check() {
      const resources = new Set(
        registry
          .collect<readonly { readonly name: string }[]>('resources')
          .flatMap(({ key, value }) => value.map(({ name }) => `${key}.${name}`)),
      )
      const problems = ofModules.flatMap(({ key, card }, index) => {
        const resource = 'count' in card ? card.count : `collections.${card.chart}`
        if (ofModules.findIndex(other => other.key === key && other.card.name === card.name) < index)
          return [`the card ${key}.${card.name}: another card of the module already has this name`]
        return resources.has(resource)
          ? []
          : [`the card ${key}.${card.name}: no module of the product has the resource \`${resource}\``]
      })
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    list(caller, locale) {
      const now = new Date(clock.now()).toISOString()
      // Nobody else has these ids, so a filter by them finds nothing for who has none.
      const variables: Variables = {
        $member: caller.memberId || `mem_${'0'.repeat(26)}`,
        $user: caller.userId,
        $today: now.slice(0, 10),
        $now: now,
      }
      return all
        .filter(({ permission, resource }) =>
          permission === undefined || caller.can(permission) ? mayOpenList(caller, resource) : false,
        )
        .map(({ id, resource, card }) => ({
          id,
          kind: card.count === undefined ? 'chart' : 'count',
          title: card.title === undefined ? null : theme.text(locale, card.title),
          resource,
          filters: card.filter ? filterParameters(card.filter, variables) : [],
          by: card.count === undefined ? (card.by ?? 'day') : null,
          time: card.time ?? null,
          sum: card.sum ?? null,
        }))
    },
  }
}
