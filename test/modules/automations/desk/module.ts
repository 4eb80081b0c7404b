/** Actions of a team's module, whose behavior tests choose. */
import { action, type Deps, defineModule, PersonValue, RowValue, secretValue, Type } from '@larder-dev/larder/kernel'
import { calls, failIfAsked, holds } from './state.ts'

export default defineModule({
  name: 'desk',
  needs: ['collections', 'database'],
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
        await holds.get(text)
        failIfAsked(text)
      },
    }),
    meet: action({
      title: 'Meet a person',
      input: Type.Object({ who: PersonValue }),
      effects: 'outside',
      async run(_deps, { who: { email, userId, isForeign } }, { key, attempt }) {
        calls.push({
          key,
          text: `meet ${email} ${userId ? 'member' : 'nobody'} ${isForeign ? 'foreign' : 'own'}`,
          attempt,
        })
      },
    }),
    token: action({
      title: 'Fetch a token',
      input: Type.Object({}),
      output: Type.Object({ token: secretValue(Type.String()), user: Type.String() }),
      effects: 'outside',
      run: async () => ({ token: 'token-of-a-stranger', user: 'desk' }),
    }),
    /** Repeats what it receives, as other systems do. */
    echo: action({
      title: 'Repeat a text',
      input: Type.Object({ text: Type.String(), fails: Type.Optional(Type.Boolean()) }),
      output: Type.Object({ heard: Type.String() }),
      effects: 'outside',
      async run(_deps, { text, fails }, { key, attempt }) {
        calls.push({ key, text, attempt })
        if (fails) throw new Error(`can't hear ${text}`)
        return { heard: `heard ${text}` }
      },
    }),
    /** Its statement is sent with the commit. */
    defer: action({
      title: 'Fail at the commit',
      input: Type.Object({}),
      effects: 'database',
      async run({ database }: Deps<'database'>, _input, { tenantId }) {
        await database.tenant(tenantId).defer([['select 1 / 0']])
      },
    }),
    expand: action({
      title: 'Return a long text',
      input: Type.Object({ size: Type.Integer() }),
      output: Type.Object({ text: Type.String() }),
      effects: 'database',
      run: async (_deps, { size }) => ({ text: 'x'.repeat(size) }),
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
