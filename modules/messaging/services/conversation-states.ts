/** Stores changes of subject, status and assignee of a locked conversation. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import {
  applyPatch,
  type ConversationPatch,
  type ConversationState,
  hasSameContent,
} from '../domain/conversation-status.ts'
import type { StoredConversation } from '../records/conversation.ts'
import type { ConversationUpdates } from './conversation-updates.ts'

const SAVE = `update messaging_conversations set subject = $2, status = $3, snoozed_until = $4, assignee_id = $5,
  version = version + 1, settled = version + 1, updated_at = $6 where id = $1`

export interface ConversationStates {
  /** A patch without effect changes nothing and publishes no event. Throws 422. */
  apply(unit: Unit, tenantId: string, before: StoredConversation, patch: ConversationPatch): Promise<void>
  save(unit: Unit, tenantId: string, before: StoredConversation, after: ConversationState): Promise<void>
}

export function createConversationStates({
  clock,
  events,
  jobs,
  conversationUpdates: updates,
}: Deps<'clock' | 'events' | 'jobs'> & { readonly conversationUpdates: ConversationUpdates }): ConversationStates {
  /** Publishes the events of a change: one for subject and status, one for the assignee. */
  async function publishEvents(
    tenantId: string,
    { id, assigneeId: before, ...old }: StoredConversation,
    after: ConversationState,
  ): Promise<void> {
    const { subject, status, snoozedUntil, assigneeId } = after
    const event = { tenantId, subject: id }
    const content = { conversationId: id, subject, status, snoozedUntil: snoozedUntil?.toISOString() ?? null }
    const assignment = { conversationId: id, assigneeId, previousAssigneeId: before }
    await Promise.all([
      !hasSameContent({ ...old, assigneeId }, after) &&
        events.publish('messaging.conversation.updated', { ...event, payload: content }),
      assigneeId !== before && events.publish('messaging.conversation.assigned', { ...event, payload: assignment }),
    ])
  }

  async function save(
    unit: Unit,
    tenantId: string,
    before: StoredConversation,
    after: ConversationState,
  ): Promise<void> {
    const { id } = before
    const { subject, status, snoozedUntil, assigneeId } = after
    const values = [id, subject, status, snoozedUntil, assigneeId, new Date(clock.now())]
    await Promise.all([
      unit.query(SAVE, values),
      publishEvents(tenantId, before, after),
      updates.publish(unit, tenantId, id),
    ])
  }

  return {
    save,
    async apply(unit, tenantId, before, patch) {
      const after = applyPatch(before, patch, clock.now())
      if (after === before) return
      const { id } = before
      const { snoozedUntil } = after
      const saved = save(unit, tenantId, before, after)
      const canceled = jobs.cancel('messaging.reopen', id)
      const enqueued =
        snoozedUntil !== null &&
        jobs.enqueue('messaging.reopen', { conversationId: id }, { at: snoozedUntil, key: id, tenantId })
      await Promise.all([saved, canceled, enqueued])
    },
  }
}
