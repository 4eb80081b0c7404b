/** Emails of every workspace, for operators who look for one that a customer misses. */
import {
  type Caller,
  type Deps,
  idPattern,
  listOf,
  listQuery,
  NameOf,
  named,
  OneOf,
  type Registrations,
  route,
  Type,
  together,
  unworded,
  wording,
} from '@larder-dev/larder/kernel'
import { historyEntry, type MessageState, RETRYABLE, STATES } from '../domain/message-states.ts'
import { problems } from '../problems.ts'
import { type Message, messageTable } from '../records/message.ts'
import { createMessageListing } from '../services/message-listing.ts'
import { createMessageRepository } from '../services/message-repository.ts'
import { createSuppressionList } from '../services/suppression-list.ts'
import { MessageBody, toMessageBody } from './schemas.ts'

const TenantId = Type.String({ pattern: idPattern('ten') })
const AnyEmail = named('AnyEmail', Type.Object({ ...MessageBody.properties, tenantId: TenantId }))
const toBody = (message: Message) => ({ ...toMessageBody(message), tenantId: message.tenantId })

const ResendBody = Type.Object(
  { reason: NameOf(500) },
  { examples: [{ reason: 'Lost at the customer, who has checked the spam folder' }] },
)
/** A server has accepted the message, but nobody finds it. */
const RESENDABLE: readonly MessageState[] = [...RETRYABLE, 'sent', 'delivered']

type RouteDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'registry' | 'log'>

export function operatorRoutes(deps: RouteDeps) {
  const { systemDatabase, clock, jobs, registry } = deps
  const listing = createMessageListing(deps)
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)
  const allTenants = () => systemDatabase.acrossTenants('an operator helps with an email of any tenant')

  const find = (id: string): Promise<Message> => messageTable.get(allTenants(), { id })

  async function resend({ id, tenantId, to, status, category }: Message, caller: Caller, reason: string) {
    if (!RESENDABLE.includes(status)) throw problems.message_not_retryable({ status: unworded(status) })
    return allTenants().transaction(async unit => {
      const entry = historyEntry('queued', clock.now(), 'resent by an operator')
      const { isSuppressed, queued } = await together({
        isSuppressed: suppression.isSuppressed(tenantId, to, category),
        queued: messages.move(tenantId, id, 'queued', entry, RESENDABLE, unit),
      })
      if (isSuppressed) throw problems.still_suppressed({ address: to })
      // A concurrent request was first.
      if (!queued) throw problems.message_not_retryable({ status: wording('on its way') })
      await jobs.enqueue('comms.deliver', { messageId: id, tenantId }, { tenantId, key: id })
      for (const { value } of registry.collect<Registrations['operatorActions']>('operatorActions'))
        await value(unit, { caller, tenantId, action: 'email.resent', subject: id, details: { reason, to } })
      return queued
    })
  }

  return [
    route({
      method: 'get',
      path: '/communications/admin/messages',
      operationId: 'listAllEmails',
      allow: 'communications.message.read_all',
      summary: 'Lists the emails of every workspace with their status, newest first.',
      query: listQuery(),
      filters: { to: Type.String({ maxLength: 254 }), status: OneOf(STATES), tenantId: TenantId },
      replies: { 200: listOf(AnyEmail) },
      async handle({ query, filters }) {
        const { data, nextCursor } = await listing.listAll({ ...query, ...filters })
        return { data: data.map(toBody), nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/communications/admin/messages/:id',
      operationId: 'getAnyEmail',
      allow: 'communications.message.read_all',
      summary: 'Returns an email of any workspace with its status and history.',
      replies: { 200: AnyEmail },
      handle: async ({ params }) => toBody(await find(params.id)),
    }),
    route({
      method: 'post',
      path: '/communications/admin/messages/:id/resend',
      operationId: 'resendAnyEmail',
      allow: 'communications.message.resend_all',
      summary: 'Sends an email of any workspace again. Recorded in the audit log.',
      description:
        'Also resends an email that a server has accepted, but none that the recipient has reported as spam.',
      body: ResendBody,
      replies: { 202: AnyEmail },
      problems: [problems.message_not_retryable, problems.still_suppressed],
      unit: 'across',
      handle: async ({ params, body, caller }) => toBody(await resend(await find(params.id), caller, body.reason)),
    }),
  ]
}
