/** What visitors see: publishing, taking back, and publishing by itself at a time. */

import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, etag, requireMatch, type Unit } from 'larder/kernel'
import { type Changed, pagePayload } from './change-events.ts'
import { lockPage, assertEditable, type PageRow } from './page-repository.ts'

const JOB = 'content.publish'

type Needs = 'database' | 'clock' | 'events' | 'jobs'

export function createPublishing({ database, clock, events, jobs }: Deps<Needs>, changed: Changed) {
  const now = () => new Date(clock.now())

  /** Within the unit of a change; null takes the time back. A time that has passed means as soon as may be. */
  async function schedule(tenantId: string, pageId: string, at: Date | null): Promise<void> {
    await jobs.cancel(JOB, pageId)
    if (at) await jobs.enqueue(JOB, { pageId }, { at, key: pageId, tenantId })
  }

  /** Shows the newest version; without effect where it is shown already. */
  async function show(unit: Unit, tenantId: string, page: PageRow): Promise<void> {
    const fresh = page.publishedVersion !== page.version
    if (!fresh && page.publishAt === null) return
    await unit.query(
      `update content_pages set published_version = version, publish_at = null, revision = revision + 1, updated_at = $2,
         published_at = case when $3 then $2 else published_at end
       where id = $1`,
      [page.id, now(), fresh],
    )
    if (!fresh) return
    await events.publish('content.page.published', { payload: pagePayload(page), subject: page.id, tenantId })
    changed(tenantId)
  }

  async function publish(tenantId: string, id: string, headers: IncomingHttpHeaders, at?: Date | null): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      if (at && at.getTime() > clock.now()) {
        await unit.query(
          'update content_pages set publish_at = $2, revision = revision + 1, updated_at = $3 where id = $1',
          [id, at, now()],
        )
        await schedule(tenantId, id, at)
        return
      }
      await schedule(tenantId, id, null)
      await show(unit, tenantId, page)
    })
  }

  async function unpublish(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockPage(unit, id)
      assertEditable(page)
      requireMatch(headers, etag(page.revision))
      if (page.publishedVersion === null && page.publishAt === null) return
      await unit.query(
        `update content_pages set published_version = null, publish_at = null, revision = revision + 1, updated_at = $2
         where id = $1`,
        [id, now()],
      )
      await schedule(tenantId, id, null)
      if (page.publishedVersion === null) return
      await events.publish('content.page.unpublished', { payload: pagePayload(page), subject: id, tenantId })
      changed(tenantId)
    })
  }

  /** For the job: publishes if it is still wanted and its time has come; what was put off has a job of its own. */
  async function due(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query('select 1 from content_pages where id = $1 and publish_at <= $2 for update', [
        id,
        now(),
      ])
      if (rows.length > 0) await show(unit, tenantId, await lockPage(unit, id))
    })
  }

  return { schedule, show, publish, unpublish, due }
}
export type Publishing = ReturnType<typeof createPublishing>
