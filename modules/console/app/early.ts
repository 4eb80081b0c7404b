/**
 * A script inside the document. It runs before the first paint and before the application has loaded: it sets the color
 * scheme, and starts the requests with which the screen begins.
 */
import { applyTheme, storedTheme } from './browser/color-scheme.ts'
import { audience, BASE, hasArea, hasModuleScreens } from './browser/document.ts'
import { earlyAnswer, moreRequestsFollow, requestHeaders, startRequest } from './browser/early-requests.ts'
import type { HomeCardList, Me, ResourceList } from './data/api-types.ts'
import { countQuery } from './data/count.ts'
import { listedResources } from './data/listed-resources.ts'
import { addressOf } from './data/paths.ts'
import { inWorkspace, rightsOf } from './data/permissions.ts'
import { initialLanguage, showLanguage } from './locales/language.ts'
import { cardsOf } from './screens/home/cards.ts'
import { cardRequests, type HomeRequest, homePlan, requestsOf } from './screens/home/plan.ts'

applyTheme(storedTheme())
const language = initialLanguage()
showLanguage(language)
const headers = requestHeaders(language)
const isHome = location.pathname.replace(/\/$/, '') === BASE
for (const address of [
  '/v1/me',
  '/v1/platform/resources',
  ...(audience === 'teams' ? ['/v1/identity/tenants?limit=200'] : []),
  ...(hasModuleScreens ? ['/v1/console/screens'] : []),
  ...(isHome ? ['/v1/console/home'] : []),
])
  startRequest(address, headers)
if (isHome) moreRequestsFollow(startHome())

/** Without one of the answers, the application says why. */
async function startHome(): Promise<void> {
  const answer = <T>(address: string) => earlyAnswer<T>(address, headers)
  const cards = answer<HomeCardList>('/v1/console/home')
  const [me, listed] = await Promise.all([answer<Me>('/v1/me'), answer<ResourceList>('/v1/platform/resources')])
  const resources = listedResources(listed?.data ?? [])
  if (!me || !resources.some(({ offered }) => offered)) return
  const reader = { audience, hasArea, resources, ...rightsOf(inWorkspace(me)) }
  requestsOf(homePlan(reader)).forEach(start)
  const found = await cards
  if (found) cardRequests(cardsOf(found.data, reader)).forEach(start)
}

function start({ path, query, isCount }: HomeRequest): void {
  startRequest(addressOf(path, isCount ? countQuery(query) : query), headers)
}
