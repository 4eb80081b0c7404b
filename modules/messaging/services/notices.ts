/** What the product tells single members: one conversation of each, to which it posts. */
import { type Deps, locksStep, type Unit } from '@larder-dev/larder/kernel'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import type { MemberNotices } from '../ports.ts'
import type { ConversationService } from './conversation-service.ts'
import type { PostingService } from './posting-service.ts'

interface Found {
  readonly id: string
  readonly userId: string
}
const FIND = `select c.id, p.user_id as "userId" from messaging_participants p
  join messaging_conversations c on c.id = p.conversation_id
  where p.user_id = any ($1) and c.created_by = $2 and c.kind = 'private'`

type Needs = Deps<'database' | 'product'> & {
  readonly conversations: ConversationService
  readonly posting: PostingService
}

export function createNotices({ database, product, conversations, posting }: Needs): MemberNotices {
  const find = async (unit: Unit, userIds: readonly string[]) =>
    new Map((await unit.query<Found>(FIND, [userIds, SYSTEM_SENDER])).rows.map(({ id, userId }) => [userId, id]))

  /** Two runs at once must not begin two conversations with the same member. */
  async function begin(unit: Unit, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const keys = userIds.map(userId => [tenantId, userId])
    await unit.query(...locksStep('messaging.notices', keys))
    const begun = await find(unit, userIds)
    for (const userId of userIds.filter(id => !begun.has(id))) {
      const draft = conversations.draft({ subject: product.name, participantIds: [userId] }, userId)
      await conversations.insert(unit, tenantId, { ...draft, createdBy: SYSTEM_SENDER })
      begun.set(userId, draft.id)
    }
    return begun
  }

  return {
    async send(tenantId, userIds, text, buttons) {
      await database.tenant(tenantId).transaction(async unit => {
        const known = await find(unit, userIds)
        const missing = userIds.filter(userId => !known.has(userId))
        const begun = missing.length > 0 ? await begin(unit, tenantId, missing) : new Map<string, string>()
        for (const id of [...known.values(), ...begun.values()].sort())
          await posting.postAsSystem(tenantId, id, { body: text }, buttons)
      })
    },
  }
}
