import { type Deps, listener } from 'larder/kernel'

const RIGHTS_CHANGED = {
  code: 'rights_changed',
  detail: 'The roles of the member who started the import changed. Start it again.',
}

/** An import has the rights that its caller had at its start. */
export const listeners = ({ collectionServices: { imports } }: Deps<'collectionServices'>) => [
  listener('identity.member.removed', ({ tenantId, payload }) =>
    imports.store.cancelOf(tenantId, payload.userId, RIGHTS_CHANGED),
  ),
  listener('identity.member.roles_changed', ({ tenantId, payload }) =>
    imports.store.cancelOf(tenantId, payload.userId, RIGHTS_CHANGED),
  ),
]
