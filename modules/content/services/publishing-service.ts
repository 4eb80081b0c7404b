/** Publishes, unpublishes and schedules pages. */

import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, etag, requireMatch, type Unit } from '@larder-dev/larder/kernel'
import type { PageRow } from '../records/page.ts'
import { pagePayload } from './change-events.ts'
import {
  assertPageEditable,
  lockDuePage,
  lockPageWithText,
  type PageWithText,
  updatePageStep,
} from './page-repository.ts'
import type { SiteCache } from './site-cache.ts'

const JOB = 'content.publish'

type Needs = 'database' | 'clock' | 'events' | 'jobs'

export interface PublishingService {
  /** Schedules the page in the unit of a change; null cancels. A time in the past means as soon as possible. */
  schedule(tenantId: string, pageId: string, at: Date | null): Promise<void>
  /** Publishes the newest version in a unit that has locked the row. Does nothing if it is published. */
  publishVersion(unit: Unit, tenantId: string, page: PageRow): Promise<PageRow>
  /** @param at a time in the future schedules the page. */
  publish(tenantId: string, id: string, headers: IncomingHttpHeaders, at?: Date | null): Promise<PageWithText>
  unpublish(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<PageWithText>
  /** Publishes the page if its scheduled time has come. A page that was rescheduled has another job. */
  publishDue(tenantId: string, id: string): Promise<void>
}

type PublishingDeps = Deps<Needs> & { readonly siteCache: SiteCache }

export function createPublishingService(deps: PublishingDeps): PublishingService {
  const { database, clock, events, jobs, siteCache } = deps
  const now = () => new Date(clock.now())

  /** The statements of a change share one round trip: they are sent before the first of them is awaited. */
  async function schedule(tenantId: string, pageId: string, at: Date | null): Promise<void> {
    await Promise.all([jobs.cancel(JOB, pageId), at && jobs.enqueue(JOB, { pageId }, { at, key: pageId, tenantId })])
  }

  /** Writes the row and its schedule. @param change what visitors of the site see, if anything. */
  async function write(
    unit: Unit,
    tenantId: string,
    { before, after }: { readonly before: PageRow; readonly after: PageRow },
    change?: 'published' | 'unpublished',
  ): Promise<PageRow> {
    const event = { payload: pagePayload(after), subject: after.id, tenantId }
    const rescheduled = before.publishAt?.getTime() !== after.publishAt?.getTime()
    await Promise.all([
      unit.query(...updatePageStep(after)),
      change && events.publish(`content.page.${change}`, event),
      rescheduled && schedule(tenantId, after.id, after.publishAt),
    ])
    if (change) siteCache.invalidateAfterCommit(tenantId)
    return after
  }

  async function publishVersion(unit: Unit, tenantId: string, page: PageRow): Promise<PageRow> {
    const isNew = page.publishedVersion !== page.version
    if (!isNew && page.publishAt === null) return page
    const updatedAt = now()
    const after = {
      ...page,
      publishedVersion: page.version,
      publishedAt: isNew ? updatedAt : page.publishedAt,
      publishAt: null,
      revision: page.revision + 1,
      updatedAt,
    }
    return write(unit, tenantId, { before: page, after }, isNew ? 'published' : undefined)
  }

  const change = (
    tenantId: string,
    id: string,
    headers: IncomingHttpHeaders,
    apply: (unit: Unit, page: PageRow) => Promise<PageRow>,
  ): Promise<PageWithText> =>
    database.tenant(tenantId).transaction(async unit => {
      const { page, text } = await lockPageWithText(unit, id)
      assertPageEditable(page)
      requireMatch(headers, etag(page.revision))
      return { page: await apply(unit, page), text }
    })

  const publish: PublishingService['publish'] = (tenantId, id, headers, at) =>
    change(tenantId, id, headers, async (unit, page) => {
      if (!at || at.getTime() <= clock.now()) return publishVersion(unit, tenantId, page)
      const after = { ...page, publishAt: at, revision: page.revision + 1, updatedAt: now() }
      return write(unit, tenantId, { before: page, after })
    })

  const unpublish: PublishingService['unpublish'] = (tenantId, id, headers) =>
    change(tenantId, id, headers, async (unit, page) => {
      if (page.publishedVersion === null && page.publishAt === null) return page
      const revision = page.revision + 1
      const after = { ...page, publishedVersion: null, publishAt: null, revision, updatedAt: now() }
      return write(unit, tenantId, { before: page, after }, page.publishedVersion === null ? undefined : 'unpublished')
    })

  async function publishDue(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const page = await lockDuePage(unit, id, now())
      if (page) await publishVersion(unit, tenantId, page)
    })
  }

  return { schedule, publishVersion, publish, unpublish, publishDue }
}
