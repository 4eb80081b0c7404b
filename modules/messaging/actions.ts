/** What automations can do with messaging. */
import {
  type ActionRecipe,
  action,
  type Deps,
  didYouMean,
  isWrittenOut,
  PersonValue,
  rolesOfWorkspaces,
  type StepMistake,
  Type,
} from '@larder-dev/larder/kernel'
import { problems } from './problems.ts'
import { MAX_BODY_CHARACTERS } from './records/message.ts'
import type { MessagingServices } from './services.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: MAX_BODY_CHARACTERS })
/** Members with a role. A larger audience is a newsletter. */
const MAX_RECIPIENTS = 1000

export const actions = {
  notify: action({
    title: { en: 'Notify members', de: 'Mitglieder benachrichtigen' },
    description: {
      en: "Posts a text to the messages of a member, or of each member with a role; those who don't read it get an email",
      de: 'Schreibt einem Mitglied oder allen Mitgliedern mit einer Rolle eine Nachricht; wer sie nicht liest, erhält eine E-Mail',
    },
    input: Type.Object(
      {
        role: Type.Optional(Type.String({ maxLength: 100, examples: ['tenant.member'] })),
        to: Type.Optional(PersonValue),
        text: Text,
      },
      closed,
    ),
    output: Type.Object({ recipients: Type.Integer() }),
    effects: 'database',
    check: (written, recipe) => ({
      mistakes: [...audienceMistakes(written), ...roleMistakes(written, recipe)],
      events: ['messaging.message.created', 'messaging.conversation.created'],
    }),
    async run(
      { notices, people }: Deps<'people'> & Pick<MessagingServices, 'notices'>,
      { role, to, text },
      { tenantId },
    ) {
      const userIds =
        role === undefined ? await memberOf(people, tenantId, to?.userId) : await membersWith(people, tenantId, role)
      await notices.send(tenantId, userIds, text)
      return { recipients: userIds.length }
    },
  }),

  post: action({
    title: { en: 'Post a message', de: 'Nachricht schreiben' },
    description: {
      en: 'Posts a message to a conversation of the workspace in the name of the product',
      de: 'Schreibt im Namen des Produkts eine Nachricht in eine Unterhaltung des Workspace',
    },
    input: Type.Object(
      {
        conversation: Type.String({ maxLength: 64, description: 'ID', examples: ['$event.payload.conversationId'] }),
        text: Text,
      },
      closed,
    ),
    output: Type.Object({ messageId: Type.String() }),
    effects: 'database',
    check: () => ({ events: ['messaging.message.created'] }),
    async run({ posting }: Pick<MessagingServices, 'posting'>, { conversation, text }, { tenantId }) {
      return { messageId: (await posting.postAsSystem(tenantId, conversation, { body: text })).id }
    },
  }),
}

type People = Deps<'people'>['people']

async function membersWith(people: People, tenantId: string, role: string): Promise<string[]> {
  const found = await people.withRole(tenantId, role, { limit: MAX_RECIPIENTS + 1 })
  if (found.length > MAX_RECIPIENTS) throw problems.too_many_recipients({ role, limit: MAX_RECIPIENTS })
  return found.map(({ userId }) => userId)
}

async function memberOf(people: People, tenantId: string, userId: string | null | undefined): Promise<string[]> {
  const [member] = await people.members(tenantId, userId ? [userId] : [])
  if (!member) throw problems.recipient_not_a_member()
  return [member.userId]
}

function audienceMistakes({ role, to }: Readonly<Record<string, unknown>>): StepMistake[] {
  if ((role === undefined) !== (to === undefined)) return []
  const message = role === undefined ? 'The step names nobody' : 'The step names a role and a member'
  return [{ path: [], code: 'invalid_audience', message, hint: 'Write either role or to' }]
}

function roleMistakes({ role }: Readonly<Record<string, unknown>>, recipe: ActionRecipe): StepMistake[] {
  const known = rolesOfWorkspaces(recipe)
  if (!isWrittenOut(role) || !recipe.complete || known.includes(role)) return []
  const hint = didYouMean(role, known)
  return [
    { path: ['role'], code: 'unknown_role', message: `Unknown role "${role}"`, ...(hint !== undefined && { hint }) },
  ]
}
