import {
  type DeadJob,
  type DeliveryRecord,
  decodeCursor,
  encodeCursor,
  type Inspector,
  type PageOf,
  type Static,
} from 'larder/kernel'
import type { DeadLetter as DeadLetterSchema } from '../schemas.ts'

export type DeadLetter = Static<typeof DeadLetterSchema>
type Kind = DeadLetter['kind']

/** Deliveries first, then jobs, as one list: a cursor says in which of the two the next page starts. */
export async function listDead(
  inspector: Inspector,
  query: { tenantId: string | null; limit: number; cursor?: string; kind?: Kind },
): Promise<PageOf<DeadLetter>> {
  const { tenantId, limit, kind } = query
  const [started, inner] = (decodeCursor(query.cursor, 2) ?? []) as [Kind?, (string | null)?]
  const from = { tenantId, cursor: inner ?? undefined }
  if (kind === 'job' || started === 'job') return jobs(inspector, { ...from, limit })

  const page = await inspector.events.dead({ ...from, limit })
  const data = page.data.map(fromDelivery)
  if (page.nextCursor !== null) return { data, nextCursor: encodeCursor(['delivery', page.nextCursor]) }
  if (kind === 'delivery') return { data, nextCursor: null }
  // A page that is just full cannot hold a job, and says that the jobs come next.
  if (data.length === limit) return { data, nextCursor: encodeCursor(['job', null]) }
  const rest = await jobs(inspector, { tenantId, limit: limit - data.length })
  return { data: [...data, ...rest.data], nextCursor: rest.nextCursor }
}

async function jobs(
  inspector: Inspector,
  query: { tenantId: string | null; limit: number; cursor?: string },
): Promise<PageOf<DeadLetter>> {
  const page = await inspector.jobs.dead(query)
  return {
    data: page.data.map(fromJob),
    nextCursor: page.nextCursor === null ? null : encodeCursor(['job', page.nextCursor]),
  }
}

/** Null where this is no dead letter, or one of a tenant out of reach. */
export async function retryDead(inspector: Inspector, id: string, tenantId: string | null): Promise<DeadLetter | null> {
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
