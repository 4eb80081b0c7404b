/** Redirects of a tenant, validated against each other when they change. */
import { common, type Deps, decodeCursor, newId, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { canonicalPath } from '../domain/paths.ts'
import {
  createsLoop,
  indexRedirects,
  parseRedirect,
  type RedirectIndex,
  type RedirectRule,
} from '../domain/redirect-rules.ts'
import type { ContentOptions } from '../options.ts'
import { invalidField, problems } from '../problems.ts'
import type { NewRedirect, Redirect, RedirectPatch, ResolvedRedirect } from '../routes/redirect-schemas.ts'
import { redirectPayload } from './change-events.ts'
import type { SiteCache } from './site-cache.ts'

/** All rules of a tenant are in memory while one of them is validated or followed. */
const MAX_REDIRECTS = 5_000

const COLUMNS = `id, source as "from", target as "to", status, managed_by as "managedBy", created_at as "createdAt",
  updated_at as "updatedAt"`

export interface RedirectService {
  create(tenantId: string, redirect: NewRedirect): Promise<Redirect>
  update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect>
  remove(tenantId: string, id: string): Promise<void>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<Redirect>
  /** Newest first. */
  list(tenantId: string, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Redirect>>
  index(tenantId: string): Promise<RedirectIndex<Redirect>>
  /** The redirect that applies to a path. Throws `no_redirect`. */
  resolve(tenantId: string, path: string): Promise<ResolvedRedirect>
  /**
   * Redirects from the old path of a page to the new one, and retargets the redirects of earlier moves, so that there is
   * no chain. A redirect of the recipe from the old path stays.
   */
  addForMovedPage(unit: Unit, tenantId: string, before: string, after: string): Promise<void>
}

export function createRedirectService(
  { database, clock, events, product }: Deps<'database' | 'clock' | 'events' | 'product'>,
  { redirects: { allowHosts } }: ContentOptions,
  cache: SiteCache,
): RedirectService {
  const now = () => new Date(clock.now())
  const rules = { ownOrigin: new URL(product.publicUrl).origin, allowHosts }

  /** Throws 422 for errors that the schema of the body can't express. */
  function parse(redirect: NewRedirect): RedirectRule {
    const parsed = parseRedirect(redirect, rules)
    if ('rule' in parsed) return parsed.rule
    const { field, code, detail } = parsed.error
    throw invalidField(`/${field}`, code, detail)
  }

  const readAll = async (unit: Unit): Promise<Redirect[]> =>
    (await unit.query<Redirect>(`select ${COLUMNS} from content_redirects limit ${MAX_REDIRECTS + 1}`)).rows

  /** Throws if the rule conflicts with the others. Serializes changes of a tenant. */
  async function assertCompatible(unit: Unit, tenantId: string, rule: RedirectRule, id: string): Promise<void> {
    await unit.query(`select pg_advisory_xact_lock(hashtext('content.redirects'), hashtext($1))`, [tenantId])
    const others = (await readAll(unit)).filter(other => other.id !== id)
    if (others.length >= MAX_REDIRECTS) throw problems.too_many_redirects({ limit: MAX_REDIRECTS })
    if (others.some(({ from }) => from === rule.from)) throw problems.redirect_exists()
    if (createsLoop(rule, others)) throw problems.redirect_loop()
  }

  async function create(tenantId: string, body: NewRedirect): Promise<Redirect> {
    const rule = parse(body)
    const id = newId('red', clock.now())
    return database.tenant(tenantId).transaction(async unit => {
      await assertCompatible(unit, tenantId, rule, id)
      const { rows } = await unit.query<Redirect>(
        `insert into content_redirects (tenant_id, id, source, target, status, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $6) returning ${COLUMNS}`,
        [tenantId, id, rule.from, rule.to, rule.status, now()],
      )
      return publishChange('created', tenantId, rows[0] as Redirect)
    })
  }

  async function publishChange(
    change: 'created' | 'updated' | 'deleted',
    tenantId: string,
    redirect: Redirect,
  ): Promise<Redirect> {
    const payload = redirectPayload(redirect)
    await events.publish(`content.redirect.${change}`, { payload, subject: redirect.id, tenantId })
    cache.invalidateAfterCommit(tenantId)
    return redirect
  }

  /** Locks the row until the unit ends. Throws `managed_by_recipe` for a redirect of the recipe. */
  async function lockOwn(unit: Unit, id: string): Promise<Redirect> {
    const { rows } = await unit.query<Redirect>(`select ${COLUMNS} from content_redirects where id = $1 for update`, [
      id,
    ])
    if (!rows[0]) throw common.not_found({ what: 'redirect' })
    if (rows[0].managedBy !== null) throw common.managed_by_recipe()
    return rows[0]
  }

  async function update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect> {
    return database.tenant(tenantId).transaction(async unit => {
      const { from, to, status } = await lockOwn(unit, id)
      const gone = patch.status === 410 && patch.to === undefined
      const rule = parse({ from, to: gone ? null : to, status, ...patch })
      await assertCompatible(unit, tenantId, rule, id)
      const { rows } = await unit.query<Redirect>(
        `update content_redirects set source = $2, target = $3, status = $4, updated_at = $5 where id = $1
         returning ${COLUMNS}`,
        [id, rule.from, rule.to, rule.status, now()],
      )
      return publishChange('updated', tenantId, rows[0] as Redirect)
    })
  }

  async function remove(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const redirect = await lockOwn(unit, id)
      await unit.query('delete from content_redirects where id = $1', [id])
      await publishChange('deleted', tenantId, redirect)
    })
  }

  async function get(tenantId: string, id: string): Promise<Redirect> {
    const sql = `select ${COLUMNS} from content_redirects where id = $1`
    const { rows } = await database.tenant(tenantId).query<Redirect>(sql, [id])
    if (!rows[0]) throw common.not_found({ what: 'redirect' })
    return rows[0]
  }

  async function list(
    tenantId: string,
    query: { limit?: number; cursor?: string | undefined },
  ): Promise<PageOf<Redirect>> {
    const [before = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { rows } = await database
      .tenant(tenantId)
      .query<Redirect>(
        `select ${COLUMNS} from content_redirects where $1::text is null or id < $1 order by id desc limit $2`,
        [before, limit + 1],
      )
    return toPage(rows, limit, row => [row.id])
  }

  const index = async (tenantId: string) => indexRedirects(await readAll(database.tenant(tenantId)))

  async function resolve(tenantId: string, path: string): Promise<ResolvedRedirect> {
    const found = (await index(tenantId)).find(canonicalPath(path) ?? '')
    if (!found) throw problems.no_redirect()
    return { from: found.rule.from, to: found.to, status: found.rule.status }
  }

  async function addForMovedPage(unit: Unit, tenantId: string, before: string, after: string): Promise<void> {
    await unit.query('delete from content_redirects where source = $1 and managed_by is null', [after])
    await unit.query(
      'update content_redirects set target = $2, updated_at = $3 where target = $1 and managed_by is null',
      [before, after, now()],
    )
    await unit.query(
      `insert into content_redirects (tenant_id, id, source, target, status, created_at, updated_at)
       values ($1, $2, $3, $4, 301, $5, $5)
       on conflict (tenant_id, source) do update set target = excluded.target, status = 301, updated_at = excluded.updated_at
         where content_redirects.managed_by is null`,
      [tenantId, newId('red', clock.now()), before, after, now()],
    )
  }

  return { create, update, remove, get, list, index, resolve, addForMovedPage }
}
