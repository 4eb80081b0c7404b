import { type Deps, Problem, page } from '@larder-dev/larder/kernel'
import { createUnsubscribeService, UNSUBSCRIBE_PATH } from '../services/unsubscribe-service.ts'

const NO_STORE = { 'cache-control': 'no-store' }

/** Loading the page changes nothing, since email scanners follow every link. */
export function unsubscribePages(deps: Deps<'database' | 'clock' | 'secrets'>) {
  const unsubscribeService = createUnsubscribeService(deps)
  return [
    page({
      name: 'comms.unsubscribe',
      path: UNSUBSCRIBE_PATH,
      title: 'Unsubscribe',
      allow: 'public',
      async load({ query: { token = '' } }) {
        try {
          const action = `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`
          const status = await unsubscribeService.status(token)
          return { data: { ...status, action, broken: undefined }, headers: NO_STORE }
        } catch (error) {
          if (!Problem.is(error) || error.code !== 'bad_unsubscribe_link') throw error
          return { data: { broken: error.wording }, status: error.status, headers: NO_STORE }
        }
      },
    }),
  ]
}
