import { listOf, reply, route } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewParticipant, Participant } from '../records/participant.ts'
import type { MessagingServices } from '../services.ts'

export function participantRoutes({ participants }: Pick<MessagingServices, 'participants'>) {
  const list = route({
    method: 'get',
    path: '/messaging/conversations/:id/participants',
    operationId: 'listParticipants',
    summary: 'Lists all participants of a conversation with their read positions.',
    allow: 'messaging.conversation.read',
    replies: { 200: listOf(Participant) },
    handle: async ({ tenantId, caller, params }) => ({
      data: await participants.list(tenantId, params.id, caller.userId),
      nextCursor: null,
    }),
  })

  const add = route({
    method: 'post',
    path: '/messaging/conversations/:id/participants',
    operationId: 'addParticipant',
    summary: 'Adds a member, who can see all earlier messages. Returns 200 for an existing participant.',
    allow: 'messaging.conversation.update',
    body: NewParticipant,
    replies: { 201: Participant, 200: Participant },
    problems: [problems.too_many_participants],
    async handle({ tenantId, caller, params, body: { userId } }) {
      const { participant, isNew } = await participants.add(tenantId, params.id, userId, caller.userId)
      return reply(
        isNew ? 201 : 200,
        participant,
        isNew ? { location: `/v1/messaging/conversations/${params.id}/participants` } : {},
      )
    },
  })

  const remove = route({
    method: 'delete',
    path: '/messaging/conversations/:id/participants/:userId',
    operationId: 'removeParticipant',
    summary: 'Removes a participant, or leaves the conversation.',
    allow: 'messaging.conversation.update',
    replies: { 204: null },
    problems: [problems.last_participant],
    handle: ({ tenantId, caller, params }) => participants.remove(tenantId, params.id, params.userId, caller.userId),
  })

  return [list, add, remove]
}
