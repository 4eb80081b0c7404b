/** Two plain pages on the browser client. The token stands in the fragment, which no server ever sees. */
import { page } from '../../kernel/contract.ts'

export const streamPages = () =>
  (['broadcast', 'watch'] as const).map(name =>
    page({
      name: `streams.${name}`,
      path: `/${name}/:id`,
      title: name === 'broadcast' ? 'Broadcast' : 'Watch',
      allow: 'public',
      load: async ({ params }) => ({
        data: { id: params.id ?? '' },
        headers: { 'cache-control': 'no-store', 'permissions-policy': POLICY[name] },
      }),
    }),
  )

const POLICY = {
  broadcast: 'camera=(self), microphone=(self), display-capture=(self)',
  watch: 'camera=(), microphone=(), display-capture=()',
}
