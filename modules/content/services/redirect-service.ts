/** Redirects: rules of a tenant, checked against each other when they change. */
import { common, type Deps, decodeCursor, newId, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { canonicalPath } from '../domain/paths.ts'
import { canonicalFrom, canonicalTo, hostOf, indexRedirects, createsLoop, type RedirectRule } from '../domain/redirect-rules.ts'
import type { ContentOptions } from '../options.ts'
import { invalidField, problems } from '../problems.ts'
import type { NewRedirect, Redirect, RedirectPatch, Resolved } from '../routes/page-schemas.ts'
import { type Changed, redirectPayload } from './change-events.ts'

/** A tenant's rules are held in memory while one of them is checked or followed. */
const MOST = 5_000

const COLUMNS = `id, source as "from", target as "to", status, managed_by as "managedBy", created_at as "createdAt",
  updated_at as "updatedAt"`

/** What is wrong with a rule, as `[field, code, end of a sentence]`; the rule in its stored form where nothing is. */
export function validateRedirect(
  { from, to, status = 301 }: NewRedirect,
  { own, allowHosts }: { own: string; allowHosts: readonly string[] },
): { rule: RedirectRule } | { fault: readonly [field: 'from' | 'to', code: string, detail: string] } {
  const source = canonicalFrom(from)
  if (source === undefined)
    return { fault: ['from', 'wrong_format', 'must be a path of this site: /old, or /old/* for all below'] }
  if (status === 410)
    return to
      ? { fault: ['to', 'not_allowed', 'must be left out with 410'] }
      : { rule: { from: source, to: null, status } }
  if (!to) return { fault: ['to', 'required', 'is required unless the status is 410'] }
  const target = canonicalTo(to, source, own)
  if (target === undefined)
    return { fault: ['to', 'wrong_format', 'must be a path or a whole address; :splat stands at its end, for a *'] }
  const host = hostOf(target)
  if (host !== undefined && !allowHosts.includes(host))
    return { fault: ['to', 'host_not_allowed', `leads to ${host}, which the recipe does not allow`] }
  return { rule: { from: source, to: target, status } }
}

export function createRedirects(
  { database, clock, events, product }: Deps<'database' | 'clock' | 'events' | 'product'>,
  { redirects: { allowHosts } }: ContentOptions,
  changed: Changed,
) {
  const now = () => new Date(clock.now())
  const places = { own: new URL(product.publicUrl).origin, allowHosts }

  function checked(redirect: NewRedirect): RedirectRule {
    const found = validateRedirect(redirect, places)
    if ('rule' in found) return found.rule
    const [field, code, detail] = found.fault
    throw invalidField(`/${field}`, code, detail)
  }

  const rulesOf = async (unit: Unit): Promise<Redirect[]> =>
    (await unit.query<Redirect>(`select ${COLUMNS} from content_redirects limit ${MOST + 1}`)).rows

  /** Throws where the rule cannot stand beside the others, one change at a time. */
  async function mustFit(unit: Unit, tenantId: string, rule: RedirectRule, id: string): Promise<void> {
    await unit.query(`select pg_advisory_xact_lock(hashtext('content.redirects'), hashtext($1))`, [tenantId])
    const others = (await rulesOf(unit)).filter(other => other.id !== id)
    if (others.length >= MOST) throw problems.too_many_redirects({ limit: MOST })
    if (others.some(({ from }) => from === rule.from)) throw problems.redirect_exists()
    if (createsLoop(rule, others)) throw problems.redirect_loop()
  }

  async function create(tenantId: string, body: NewRedirect): Promise<Redirect> {
    const rule = checked(body)
    const id = newId('red', clock.now())
    return database.tenant(tenantId).transaction(async unit => {
      await mustFit(unit, tenantId, rule, id)
      const { rows } = await unit.query<Redirect>(
        `insert into content_redirects (tenant_id, id, source, target, status, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $6) returning ${COLUMNS}`,
        [tenantId, id, rule.from, rule.to, rule.status, now()],
      )
      return told('created', tenantId, rows[0] as Redirect)
    })
  }

  async function told(
    what: 'created' | 'updated' | 'deleted',
    tenantId: string,
    redirect: Redirect,
  ): Promise<Redirect> {
    const payload = redirectPayload(redirect)
    await events.publish(`content.redirect.${what}`, { payload, subject: redirect.id, tenantId })
    changed(tenantId)
    return redirect
  }

  /** The row, held until the unit ends; throws `managed_by_recipe` for one that is the recipe's. */
  async function own(unit: Unit, id: string): Promise<Redirect> {
    const { rows } = await unit.query<Redirect>(`select ${COLUMNS} from content_redirects where id = $1 for update`, [
      id,
    ])
    if (!rows[0]) throw common.not_found({ what: 'redirect' })
    if (rows[0].managedBy !== null) throw common.managed_by_recipe()
    return rows[0]
  }

  async function update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect> {
    return database.tenant(tenantId).transaction(async unit => {
      const { from, to, status } = await own(unit, id)
      const gone = patch.status === 410 && patch.to === undefined
      const rule = checked({ from, to: gone ? null : to, status, ...patch })
      await mustFit(unit, tenantId, rule, id)
      const { rows } = await unit.query<Redirect>(
        `update content_redirects set source = $2, target = $3, status = $4, updated_at = $5 where id = $1
         returning ${COLUMNS}`,
        [id, rule.from, rule.to, rule.status, now()],
      )
      return told('updated', tenantId, rows[0] as Redirect)
    })
  }

  async function remove(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const redirect = await own(unit, id)
      await unit.query('delete from content_redirects where id = $1', [id])
      await told('deleted', tenantId, redirect)
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

  const index = async (tenantId: string) => indexRedirects(await rulesOf(database.tenant(tenantId)))

  /** Where somebody who asks for this path is sent. Throws `no_redirect`. */
  async function resolve(tenantId: string, path: string): Promise<Resolved> {
    const found = (await index(tenantId)).find(canonicalPath(path) ?? '')
    if (!found) throw problems.no_redirect()
    return { from: found.rule.from, to: found.to, status: found.rule.status }
  }

  /**
   * For a page that moves: from its old path to the new one, and from where earlier moves led to the old one, so that
   * nobody is sent on twice. What the recipe says of the old path stays.
   */
  async function leave(unit: Unit, tenantId: string, before: string, after: string): Promise<void> {
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

  return { create, update, remove, get, list, index, resolve, leave }
}
export type Redirecting = ReturnType<typeof createRedirects>
