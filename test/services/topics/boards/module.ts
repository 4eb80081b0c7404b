/** A module with topics. The tests publish their messages. */
import { defineModule, Type, topic } from '../../../../kernel/index.ts'
import { boardState } from './state.ts'

interface Card {
  readonly title: string
  readonly secret?: string
  readonly hidden?: boolean
  readonly slow?: boolean
  readonly broken?: boolean
  readonly restricted?: boolean
}

function viewOf(card: Card): Card | undefined | Promise<Card> {
  if (card.broken) throw new Error('view bug')
  if (card.hidden) return undefined
  if (card.slow) return new Promise(resolve => setTimeout(resolve, 20, card))
  if (card.secret === undefined) return card
  const { secret: _, ...rest } = card
  return rest
}

const params = Type.Object({ board: Type.String({ maxLength: 40 }) })
const message = Type.Object({ title: Type.String() }, { additionalProperties: true })

export default defineModule({
  name: 'boards',
  permissions: { 'boards.card.read': 'Read cards' },
  topics: () => [
    topic({
      name: 'boards.cards',
      summary: 'Changed cards of a board.',
      allow: 'boards.card.read',
      params,
      message,
      async authorize({ tenantId }, { board }) {
        const isClosed = boardState.closed.has(board)
        const isRestricted = boardState.restricted.has(board)
        await boardState.onAuthorize?.()
        const view = (card: Card) => (isRestricted && card.restricted ? undefined : viewOf(card))
        return isClosed ? undefined : { tenantId, key: board, view: card => view(card as Card) }
      },
    }),
    topic({
      name: 'boards.public',
      summary: 'Changed cards of a public board.',
      allow: 'public',
      params,
      message,
      authorize: ({ tenantId }, { board }) => ({ tenantId, key: board }),
    }),
    topic({
      name: 'boards.echo',
      summary: 'Returns what the client sends.',
      allow: 'user',
      params: Type.Object({}),
      message: Type.Object({ echo: Type.Unknown() }),
      input: Type.Object({ text: Type.String({ maxLength: 10 }) }),
      authorize: ({ tenantId }) => ({ tenantId, key: '' }),
      async open(subscription) {
        subscription.send('{"echo":"early"}', '1')
        return {
          resumed: subscription.after === '1',
          position: '0',
          receive(input) {
            const { text } = input as { text: string }
            if (text === 'end') subscription.end('over')
            else subscription.send(JSON.stringify({ echo: text }), '2')
          },
          close() {},
        }
      },
    }),
  ],
})
