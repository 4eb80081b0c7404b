/** Actions of a team's module, whose behavior tests choose. */
import { action, type Deps, defineModule, RowValue, Type } from '@larder-dev/larder/kernel'

/** What actions with outside effects were called with, by their key, in the order of the calls. */
export const calls: { readonly key: string; readonly text: string; readonly attempt: number }[] = []
/** Text → number of attempts that fail. */
export const failures = new Map<string, number>()

function failIfAsked(text: string): void {
  const left = failures.get(text) ?? 0
  if (left === 0) return
  failures.set(text, left - 1)
  throw new Error(`asked to fail: ${text}`)
}

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
