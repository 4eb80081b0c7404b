import { bodyOf, idPattern, NameOf, Nullable, named, Time, Type, table, Writable } from '@larder-dev/larder/kernel'
import { RequiredText } from '@larder-dev/larder/kernel/internal'
import { MAX_BODY_CHARACTERS } from './message.ts'

const Title = NameOf(100)
const Body = RequiredText(MAX_BODY_CHARACTERS, {
  description: 'Clients replace {name} with the name of the person who asked, and {agent} with the name of the sender',
})
const Shortcut = Nullable(
  Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,31}$',
    description: 'Typed after a slash to insert the reply: lowercase letters, digits, - and _',
  }),
)

export const SavedReply = named(
  'SavedReply',
  Type.Object({
    id: Type.String({ pattern: idPattern('srp') }),
    title: Writable(Type.String(), Title),
    body: Writable(Type.String(), Body),
    shortcut: Writable(Nullable(Type.String()), Type.Optional(Shortcut)),
    version: Type.Integer({ description: 'Increases by one with every change' }),
    createdBy: Type.String({ description: 'User id' }),
    createdAt: Time,
    updatedAt: Time,
  }),
)

export const NewSavedReply = Type.Object(bodyOf(SavedReply.properties), {
  examples: [{ title: 'Reset the password', body: 'Hello {name}, open /forgot-password.', shortcut: 'reset' }],
})
export const SavedReplyPatch = Type.Partial(Type.Object(bodyOf(SavedReply.properties)))

export const savedReplyTable = table('messaging_saved_replies', SavedReply, {
  what: 'saved reply',
  defaults: { version: 1 },
  hidden: { tenantId: Type.String() },
  revision: 'version',
})
