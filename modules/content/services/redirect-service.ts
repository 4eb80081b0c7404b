/** Redirects of a tenant, validated against each other when they change. */
import { common, type Deps, newId, type PageOf, type Unit } from 'larder/kernel'
import { canonicalPath } from '../domain/paths.ts'
import {
  createsLoop,
  indexRedirects,
  parseRedirect,
  type RedirectIndex,
  type RedirectRule,
} from '../domain/redirect-rules.ts'
import { redirectModel } from '../models.ts'
import type { ContentOptions } from '../options.ts'
import { invalidField, problems } from '../problems.ts'
import type { NewRedirect, Redirect, RedirectPatch, ResolvedRedirect } from '../routes/redirect-schemas.ts'
import { redirectPayload } from './change-events.ts'
import type { SiteCache } from './site-cache.ts'

/** All rules of a tenant are in memory while one of them is validated or followed. */
const MAX_REDIRECTS = 5_000

/** A stored rule. */
type StoredRule = RedirectRule & Pick<Redirect, 'id'>

export interface RedirectService {
  create(tenantId: string, redirect: NewRedirect): Promise<Redirect>
  update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect>
  remove(tenantId: string, id: string): Promise<void>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<Redirect>
  /** Newest first. */
  list(tenantId: string, query: { limit?: number; cursor?: string | undefined }): Promise<PageOf<Redirect>>
  index(tenantId: string): Promise<RedirectIndex<RedirectRule>>
  /** The redirect that applies to a path. Throws `no_redirect`. */
  resolve(tenantId: string, path: string): Promise<ResolvedRedirect>
  /**
   * Redirects from the old path of a page to the new one, and retargets the redirects of earlier moves, so that there is
   * no chain. A redirect of the recipe from the old path stays.
   */
  addForMovedPage(unit: Unit, tenantId: string, before: string, after: string): Promise<void>
}

export function createRedirectService(
  { database, models, clock, events, product }: Deps<'database' | 'models' | 'clock' | 'events' | 'product'>,
  { redirects: { allowHosts } }: ContentOptions,
  cache: SiteCache,
): RedirectService {
  const model = redirectModel(models)
  const now = () => new Date(clock.now())
  const rules = { ownOrigin: new URL(product.publicUrl).origin, allowHosts }

  /** Throws 422 for errors that the schema of the body can't express. */
  function parse(redirect: NewRedirect): RedirectRule {
    const parsed = parseRedirect(redirect, rules)
    if ('rule' in parsed) return parsed.rule
    const { field, code, detail } = parsed.error
    throw invalidField(`/${field}`, code, detail)
  }

  async function readAll(unit: Unit): Promise<StoredRule[]> {
    const { rows } = await unit.query<StoredRule>(
      `select id, source as "from", target as "to", status from content_redirects limit ${MAX_REDIRECTS + 1}`,
    )
    return rows
  }

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
    const Redirects = await model()
    const id = newId('red', clock.now())
    return database.tenant(tenantId).transaction(async unit => {
      await assertCompatible(unit, tenantId, rule, id)
      const row = { id, tenantId, ...rule, managedBy: null, createdAt: now(), updatedAt: now() }
      await Redirects.create(row)
      return publishChange('created', tenantId, row)
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
  async function lockOwn(unit: Unit, tenantId: string, id: string): Promise<Redirect> {
    await unit.query('select 1 from content_redirects where id = $1 for update', [id])
    const redirect = await get(tenantId, id)
    if (redirect.managedBy !== null) throw common.managed_by_recipe()
    return redirect
  }

  async function update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect> {
    const Redirects = await model()
    return database.tenant(tenantId).transaction(async unit => {
      const redirect = await lockOwn(unit, tenantId, id)
      const { from, to, status } = redirect
      const gone = patch.status === 410 && patch.to === undefined
      const rule = parse({ from, to: gone ? null : to, status, ...patch })
      await assertCompatible(unit, tenantId, rule, id)
      const changes = { ...rule, updatedAt: now() }
      await Redirects.update(changes, { where: { id } })
      return publishChange('updated', tenantId, { ...redirect, ...changes })
    })
  }

  async function remove(tenantId: string, id: string): Promise<void> {
    const Redirects = await model()
    await database.tenant(tenantId).transaction(async unit => {
      const redirect = await lockOwn(unit, tenantId, id)
      await Redirects.destroy({ where: { id } })
      await publishChange('deleted', tenantId, redirect)
    })
  }

  async function get(tenantId: string, id: string): Promise<Redirect> {
    const redirect = await models.find(database.tenant(tenantId), model, { id })
    if (!redirect) throw common.not_found({ what: 'redirect' })
    return redirect
  }

  const list: RedirectService['list'] = (tenantId, query) => models.page(database.tenant(tenantId), model, query)

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
