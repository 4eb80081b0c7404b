import { listener } from '@larder-dev/larder/kernel'
import { RIGHTS_CHANGED } from './domain/rights/stored-caller.ts'
import type { CollectionServices } from './services.ts'

/** An import has the rights that its caller had at its start. */
export const listeners = ({ imports }: Pick<CollectionServices, 'imports'>) => [
  listener('identity.member.removed', ({ tenantId, payload }) =>
    imports.store.cancelOf(tenantId, payload.userId, RIGHTS_CHANGED),
  ),
  listener('identity.member.roles_changed', ({ tenantId, payload }) =>
    imports.store.cancelOf(tenantId, payload.userId, RIGHTS_CHANGED),
  ),
]
