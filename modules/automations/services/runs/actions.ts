/** The actions of all modules, by their names in recipes: `comms.mail`. */
import type { BoundAction, Deps } from '@larder-dev/larder/kernel'

export const actionsOf = (registry: Deps<'registry'>['registry']): ReadonlyMap<string, BoundAction> =>
  new Map(
    registry
      .collect<Readonly<Record<string, BoundAction>>>('actions')
      .flatMap(({ key, value }) => Object.entries(value).map(([name, action]) => [`${key}.${name}`, action] as const)),
  )
