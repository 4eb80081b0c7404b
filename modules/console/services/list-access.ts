/** Who may open the list of a resource. */
import { type Caller, type Deps, once } from '@larder-dev/larder/kernel'
import { type Guard, grantedTo, guardOf } from '@larder-dev/larder/kernel/internal'

interface Listed {
  readonly name: string
  readonly operations: { readonly list: string }
}
/** @param list module and resource, such as `content.pages`. */
export type MayOpenList = (caller: Caller, list: string) => boolean

/** The endpoints are known only after all modules are created: `http` must not be read before the first call. */
export function createListAccess(deps: Deps<'http' | 'registry'>): MayOpenList {
  const guards = once(() => {
    const byOperation = new Map(deps.http.endpoints().map(endpoint => [endpoint.route?.operationId, endpoint]))
    return new Map<string, Guard>(
      deps.registry.collect<readonly Listed[]>('resources').flatMap(({ key, value }) =>
        value.flatMap(({ name, operations }) => {
          const endpoint = byOperation.get(operations.list)
          return endpoint ? [[`${key}.${name}`, guardOf(endpoint.allow)]] : []
        }),
      ),
    )
  })
  return (caller, list) => {
    const guard = guards().get(list)
    return guard !== undefined && grantedTo(guard, caller) !== undefined
  }
}
