/** Actions of a team's module, whose behavior tests choose. */
import { action, type Deps, defineModule, RowValue, Type } from '@larder-dev/larder/kernel'
import { calls, failIfAsked } from './state.ts'

export default defineModule({
  name: 'desk',
  needs: ['collections'],
  actions: {
    note: action({
      title: 'Write a note',
      input: Type.Object({ text: Type.String({ maxLength: 200 }), count: Type.Optional(Type.Integer()) }),
      output: Type.Object({ id: Type.String() }),
      effects: 'database',
      async run({ collections }: Deps<'collections'>, { text }, { tenantId }) {
        const { id } = await collections.rows('notes', { tenantId }).create({ text })
        failIfAsked(text)
        return { id }
      },
    }),
    call: action({
      title: 'Call another system',
      input: Type.Object({ text: Type.String() }),
      effects: 'outside',
      async run(_deps, { text }, { key, attempt }) {
        calls.push({ key, text, attempt })
        failIfAsked(text)
      },
    }),
    close: action({
      title: 'Close a ticket',
      input: Type.Object({ ticket: RowValue }),
      effects: 'database',
      async run({ collections }: Deps<'collections'>, { ticket }, { tenantId }) {
        await collections.rows(ticket.collection, { tenantId }).update(ticket.id, { status: 'solved' })
      },
    }),
  },
})
