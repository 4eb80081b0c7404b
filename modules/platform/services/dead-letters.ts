import { decodeCursor, encodeCursor, type PageOf } from '@larder-dev/larder/kernel'
import type { DeadJob, DeliveryRecord, Inspector } from '@larder-dev/larder/kernel/internal'
import type { DeadLetter } from '../records/dead-letter.ts'

type Kind = DeadLetter['kind']

export interface DeadLetterQuery {
  /** Null lists the dead letters of all tenants. */
  readonly tenantId: string | null
  readonly limit: number
  readonly cursor?: string
  readonly kind?: Kind
}

/** Lists dead deliveries, then dead jobs. The cursor contains the kind that the next page starts with. */
export async function listDeadLetters(inspector: Inspector, query: DeadLetterQuery): Promise<PageOf<DeadLetter>> {
  const { tenantId, limit, kind } = query
  const [startKind, innerCursor] = (decodeCursor(query.cursor, 2) ?? []) as [Kind?, (string | null)?]
  const start = { tenantId, cursor: innerCursor ?? undefined }
  if (kind === 'job' || startKind === 'job') return listJobs(inspector, { ...start, limit })

  const page = await inspector.events.dead({ ...start, limit })
  const data = page.data.map(fromDelivery)
  if (page.nextCursor !== null) return { data, nextCursor: encodeCursor(['delivery', page.nextCursor]) }
  if (kind === 'delivery') return { data, nextCursor: null }
  // A full page has no room for jobs, so the next page starts with them.
  if (data.length === limit) return { data, nextCursor: encodeCursor(['job', null]) }
  const rest = await listJobs(inspector, { tenantId, limit: limit - data.length })
  return { data: [...data, ...rest.data], nextCursor: rest.nextCursor }
}

async function listJobs(
  inspector: Inspector,
  query: Pick<DeadLetterQuery, 'tenantId' | 'limit' | 'cursor'>,
): Promise<PageOf<DeadLetter>> {
  const page = await inspector.jobs.dead(query)
  return {
    data: page.data.map(fromJob),
    nextCursor: page.nextCursor === null ? null : encodeCursor(['job', page.nextCursor]),
  }
}

/** Returns null for an unknown id, a record that is not dead, and one of another tenant. */
export async function retryDeadLetter(
  inspector: Inspector,
  id: string,
  tenantId: string | null,
): Promise<DeadLetter | null> {
  if (id.startsWith('job_')) {
    const job = await inspector.jobs.retry(id, tenantId)
    return job && fromJob(job)
  }
  const delivery = await inspector.events.retry(id, tenantId)
  return delivery && fromDelivery(delivery)
}

const fromDelivery = (record: DeliveryRecord): DeadLetter => ({
  id: record.id,
  kind: 'delivery',
  name: record.handler,
  tenantId: record.tenantId,
  eventId: record.eventId,
  eventType: record.eventType,
  attempts: record.attempts,
  lastError: record.lastError,
})

const fromJob = (record: DeadJob): DeadLetter => ({
  id: record.id,
  kind: 'job',
  name: record.name,
  tenantId: record.tenantId,
  eventId: null,
  eventType: null,
  attempts: record.attempts,
  lastError: record.lastError,
})
