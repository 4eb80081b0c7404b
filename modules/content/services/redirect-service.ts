/** Redirects of a tenant, validated against each other when they change. */
import {
  common,
  type Deps,
  invalidField,
  isUniqueViolation,
  lockStep,
  newId,
  type Step,
  type Unit,
} from '@larder-dev/larder/kernel'
import { canonicalPath } from '../domain/paths.ts'
import {
  createsLoop,
  indexRedirects,
  parseRedirect,
  type RedirectIndex,
  type RedirectRule,
} from '../domain/redirect-rules.ts'
import type { ContentOptions } from '../options.ts'
import { problems } from '../problems.ts'
import {
  type NewRedirect,
  type Redirect,
  type RedirectPatch,
  type ResolvedRedirect,
  RULE_COLUMNS,
  redirectTable,
} from '../records/redirect.ts'
import { rowsOf } from './batch-rows.ts'
import { redirectPayload } from './change-events.ts'
import type { SiteCache } from './site-cache.ts'

/** All rules of a tenant are in memory while one of them is validated or followed. */
const MAX_REDIRECTS = 5_000

const ALL_RULES = `select ${redirectTable.columns(undefined, RULE_COLUMNS)} from content_redirects limit ${MAX_REDIRECTS + 1}`
const LOCK = `select ${redirectTable.columns()} from content_redirects where id = $1 for update`
/** A rule of the recipe stays. */
const REPLACING_OWN = `${redirectTable.replacing(['tenantId', 'from'], ['id', 'createdAt'])}
  where content_redirects.managed_by is null`
/** Serializes creations and updates, because any two rules of a tenant can form a loop. */
const lockRules = (tenantId: string): Step => lockStep('content.redirects', tenantId)

/** A stored rule. */
type StoredRule = RedirectRule & Pick<Redirect, 'id'>

export interface RedirectService {
  create(tenantId: string, redirect: NewRedirect): Promise<Redirect>
  update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect>
  remove(tenantId: string, id: string): Promise<void>
  index(tenantId: string): Promise<RedirectIndex<RedirectRule>>
  /** The redirect that applies to a path. Throws `no_redirect`. */
  resolve(tenantId: string, path: string): Promise<ResolvedRedirect>
  /**
   * Redirects from the old path of a page to the new one, and retargets the redirects of earlier moves, so that there is
   * no chain. A redirect of the recipe from the old path stays.
   */
  movedPageSteps(tenantId: string, before: string, after: string): Step[]
}

type RedirectDeps = Deps<'database' | 'clock' | 'events' | 'product'> & { readonly siteCache: SiteCache }

export function createRedirectService(
  { database, clock, events, product, siteCache }: RedirectDeps,
  { redirects: { allowHosts } }: ContentOptions,
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

  async function readAll(unit: Unit): Promise<StoredRule[]> {
    const { rows } = await unit.query<StoredRule>(ALL_RULES)
    return rows
  }

  /** Throws if the rule conflicts with the others. */
  function assertCompatible(rule: RedirectRule, others: readonly StoredRule[]): void {
    if (others.length >= MAX_REDIRECTS) throw problems.too_many_redirects({ limit: MAX_REDIRECTS })
    if (others.some(({ from }) => from === rule.from)) throw problems.redirect_exists()
    if (createsLoop(rule, others)) throw problems.redirect_loop()
  }

  async function create(tenantId: string, body: NewRedirect): Promise<Redirect> {
    const rule = parse(body)
    const id = newId('red', clock.now())
    return database.tenant(tenantId).transaction(async unit => {
      const { rules } = await unit.all({ lock: lockRules(tenantId), rules: [ALL_RULES] })
      assertCompatible(rule, rowsOf<StoredRule>(rules))
      const createdAt = now()
      const own = { id, managedBy: null, createdAt, updatedAt: createdAt }
      const redirect = redirectTable.record({ ...body, ...rule, ...own })
      return write(unit, tenantId, redirectTable.insertStep({ ...redirect, tenantId }), 'created', redirect)
    })
  }

  /** Writes a change and its event in the transaction `unit`. */
  async function write(
    unit: Unit,
    tenantId: string,
    step: Step,
    change: 'created' | 'updated' | 'deleted',
    redirect: Redirect,
  ): Promise<Redirect> {
    const payload = redirectPayload(redirect)
    await unit.query(...step).catch(rethrowRedirectExists)
    await events.publish(`content.redirect.${change}`, { payload, subject: redirect.id, tenantId })
    siteCache.invalidateAfterCommit(tenantId)
    return redirect
  }

  async function update(tenantId: string, id: string, patch: RedirectPatch): Promise<Redirect> {
    return database.tenant(tenantId).transaction(async unit => {
      const { found, rules } = await unit.all({
        lock: lockRules(tenantId),
        found: [LOCK, [id]],
        rules: [ALL_RULES],
      })
      const redirect = requireOwn(rowsOf<Redirect>(found))
      const { from, to, status } = redirect
      const gone = patch.status === 410 && patch.to === undefined
      const rule = parse({ from, to: gone ? null : to, status, ...patch })
      const others = rowsOf<StoredRule>(rules).filter(other => other.id !== id)
      assertCompatible(rule, others)
      const changes = { ...patch, ...rule, updatedAt: now() }
      return write(unit, tenantId, redirectTable.updateStep({ id }, changes), 'updated', { ...redirect, ...changes })
    })
  }

  async function remove(tenantId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const redirect = requireOwn([await redirectTable.get(unit, { id }, { lock: true })])
      await write(unit, tenantId, redirectTable.deleteStep({ id }), 'deleted', redirect)
    })
  }

  const index = async (tenantId: string) => indexRedirects(await readAll(database.tenant(tenantId)))

  async function resolve(tenantId: string, path: string): Promise<ResolvedRedirect> {
    const found = (await index(tenantId)).find(canonicalPath(path) ?? '')
    if (!found) throw problems.no_redirect()
    return { from: found.rule.from, to: found.to, status: found.rule.status }
  }

  const movedPageSteps = (tenantId: string, before: string, after: string): Step[] => [
    ['delete from content_redirects where source = $1 and managed_by is null', [after]],
    [
      'update content_redirects set target = $2, updated_at = $3 where target = $1 and managed_by is null',
      [before, after, now()],
    ],
    redirectTable.insertStep(
      {
        tenantId,
        id: newId('red', clock.now()),
        from: before,
        to: after,
        status: 301,
        createdAt: now(),
        updatedAt: now(),
      },
      REPLACING_OWN,
    ),
  ]

  return { create, update, remove, index, resolve, movedPageSteps }
}

/** Throws `not_found`, and `managed_by_recipe` for a redirect of the recipe. */
function requireOwn([redirect]: readonly Redirect[]): Redirect {
  if (!redirect) throw common.not_found({ what: 'redirect' })
  if (redirect.managedBy !== null) throw common.managed_by_recipe()
  return redirect
}

/** Pages that move write redirects without the lock on the rules. */
function rethrowRedirectExists(error: unknown): never {
  throw isUniqueViolation(error) ? problems.redirect_exists() : error
}
