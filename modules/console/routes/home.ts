import { consoleLocale, type Deps, listOf, route } from '@larder-dev/larder/kernel'
import { HomeCard } from '../records/home-card.ts'
import type { HomeCards } from '../services/home-cards.ts'

export const homeRoutes = ({ homeCards, product }: Deps<'product'> & { readonly homeCards: HomeCards }) => [
  route({
    method: 'get',
    path: '/console/home',
    operationId: 'listHomeCards',
    summary: 'Lists the cards of the home screen of the console whose records the caller may list.',
    description: 'Titles are in the language of `Accept-Language`. The numbers come from the lists of the records.',
    allow: 'user',
    replies: { 200: listOf(HomeCard) },
    handle: async ({ caller, request }) => ({
      data: homeCards.list(caller, consoleLocale(request, product)),
      nextCursor: null,
    }),
  }),
]
