/** Stores changes of a locked conversation. */

import { isDeepStrictEqual } from 'node:util'
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import { applyPatch, type ConversationPatch } from '../domain/conversation-status.ts'
import { conversationTable, type StoredConversation } from '../records/conversation.ts'
import type { ConversationUpdates } from './conversation-updates.ts'

export interface ConversationStates {
  /** A patch without effect changes nothing and publishes no event. Throws 422. */
  apply(unit: Unit, tenantId: string, before: StoredConversation, patch: ConversationPatch): Promise<void>
  save(unit: Unit, tenantId: string, before: StoredConversation, changes: Partial<StoredConversation>): Promise<void>
}

export function createConversationStates({
  clock,
  events,
  jobs,
  conversationUpdates: updates,
}: Deps<'clock' | 'events' | 'jobs'> & { readonly conversationUpdates: ConversationUpdates }): ConversationStates {
  /** Publishes the events of a change: one for the assignee, one for everything else. */
  async function publishEvents(tenantId: string, before: StoredConversation, after: StoredConversation): Promise<void> {
    const { id, subject, status, snoozedUntil, assigneeId } = after
    const { assigneeId: previousAssigneeId } = before
    const event = { tenantId, subject: id }
    const content = { conversationId: id, subject, status, snoozedUntil: snoozedUntil?.toISOString() ?? null }
    const assignment = { conversationId: id, assigneeId, previousAssigneeId }
    await Promise.all([
      !isDeepStrictEqual({ ...after, assigneeId: previousAssigneeId }, before) &&
        events.publish('messaging.conversation.updated', { ...event, payload: content }),
      assigneeId !== previousAssigneeId &&
        events.publish('messaging.conversation.assigned', { ...event, payload: assignment }),
    ])
  }

  async function save(
    unit: Unit,
    tenantId: string,
    before: StoredConversation,
    changes: Partial<StoredConversation>,
  ): Promise<void> {
    const { id } = before
    const version = before.version + 1
    const row = { ...changes, version, settled: version, updatedAt: new Date(clock.now()) }
    await Promise.all([
      unit.query(...conversationTable.updateStep({ id }, row)),
      publishEvents(tenantId, before, { ...before, ...changes }),
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
      const saved = save(unit, tenantId, before, { ...patch, snoozedUntil })
      const canceled = jobs.cancel('messaging.reopen', id)
      const enqueued =
        snoozedUntil !== null &&
        jobs.enqueue('messaging.reopen', { conversationId: id }, { at: snoozedUntil, key: id, tenantId })
      await Promise.all([saved, canceled, enqueued])
    },
  }
}
