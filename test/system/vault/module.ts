/** A module with a page that owners of a workspace may not open. */
import { defineModule, rawRoute } from '@larder-dev/larder/kernel'

export default defineModule({
  name: 'vault',
  permissions: { 'vault.key.read': { title: 'View keys', scope: 'platform' } },
  rawRoutes: () => [
    rawRoute({
      method: 'get',
      path: '/vault',
      allow: 'vault.key.read',
      from: 'page',
      async handle(_, response) {
        response.type('html').send('<!doctype html><title>Vault</title>')
      },
    }),
  ],
})
