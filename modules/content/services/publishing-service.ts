/** Publishes, unpublishes and schedules pages. */

import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, etag, requireMatch, type Unit } from 'larder/kernel'
import { pagePayload } from './change-events.ts'
import { assertEditable, lockPage, type PageRow } from './page-repository.ts'
import type { SiteCache } from './site-cache.ts'

const JOB = 'content.publish'

type Needs = 'database' | 'clock' | 'events' | 'jobs'

export interface PublishingService {
  /** Schedules the page in the unit of a change; null cancels. A time in the past means as soon as possible. */
  schedule(tenantId: string, pageId: string, at: Date | null): Promise<void>
  /** Publishes the newest version in a unit that has locked the row. Does nothing if it is published. */
  publishVersion(unit: Unit, tenantId: string, page: PageRow): Promise<void>
  /** @param at a time in the future schedules the page. */
  publish(tenantId: string, id: string, headers: IncomingHttpHeaders, at?: Date | null): Promise<void>
  unpublish(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
  /** Publishes the page if its scheduled time has come. A page that was rescheduled has another job. */
  publishDue(tenantId: string, id: string): Promise<void>
}

export function createPublishingService(
  { database, clock, events, jobs }: Deps<Needs>,
  cache: SiteCache,
): PublishingService {
  const now = () => new Date(clock.now())

  async function schedule(tenantId: string, pageId: string, at: Date | null): Promise<void> {
    await jobs.cancel(JOB, pageId)
    if (at) await jobs.enqueue(JOB, { pageId }, { at, key: pageId, tenantId })
  }

  async function publishVersion(unit: Unit, tenantId: string, page: PageRow): Promise<void> {
    const isNew = page.publishedVersion !== page.version
    if (!isNew && page.publishAt === null) return
    await unit.query(
      `update content_pages set published_version = version, publish_at = null, revision = revision + 1, updated_at = $2,
         published_at = case when $3 then $2 else published_at end
       where id = $1`,
      [page.id, now(), isNew],
    )
    if (!isNew) return
    await events.publish('content.page.published', { payload: pagePayload(page), subject: page.id, tenantId })
    cache.invalidateAfterCommit(tenantId)
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
      await publishVersion(unit, tenantId, page)
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
      cache.invalidateAfterCommit(tenantId)
    })
  }

  async function publishDue(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query('select 1 from content_pages where id = $1 and publish_at <= $2 for update', [
        id,
        now(),
      ])
      if (rows.length > 0) await publishVersion(unit, tenantId, await lockPage(unit, id))
    })
  }

  return { schedule, publishVersion, publish, unpublish, publishDue }
}
