/**
 * Saved views of lists. Each belongs to the person who made it, who may share it with the workspace: not with the customers
 * of a product of people, since names and filters of views say what the staff thinks of them.
 */
import {
  byNames,
  type Caller,
  common,
  type Deps,
  etag,
  isUniqueViolation,
  listOf,
  lockStep,
  missingPermission,
  newId,
  replyWithEtag,
  requireMatch,
  route,
  type Unit,
} from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { NewView, View, ViewPatch, ViewQuery, viewTable } from '../records/view.ts'
import type { MayOpenList } from '../services/list-access.ts'

/** Views that a person has of one list. */
const MAX_VIEWS = 50
/** Shared views of a list that everyone sees. */
const MAX_SHARED = 200
const SHARE = 'console.view.share'
const replyWith = replyWithEtag(({ version }: View) => version)

type ViewDeps = Deps<'database' | 'clock', 'entitlements'> & { readonly mayOpenList: MayOpenList }

export function viewRoutes({ database, clock, entitlements, mayOpenList }: ViewDeps) {
  const inTenant = <T>(tenantId: string | undefined, run: (unit: Unit, tenantId: string) => Promise<T>): Promise<T> => {
    if (tenantId === undefined) throw common.tenant_required()
    return database.tenant(tenantId).transaction(unit => run(unit, tenantId))
  }
  const requireShare = (caller: Caller) => {
    if (!caller.can(SHARE)) throw missingPermission(SHARE)
  }
  const requireList = (caller: Caller, list: string) => {
    if (!mayOpenList(caller, list)) throw common.not_found({ what: 'list' })
  }
  const requireStorage = async (tenantId: string, body: object) =>
    entitlements?.requireRowStorage(tenantId, Buffer.byteLength(JSON.stringify(body)))
  const rethrow = (error: unknown): never => {
    throw isUniqueViolation(error, 'console_views_name') ? problems.view_name_taken() : error
  }

  /** A view that the caller may change: their own, or a shared one of a list that they can open. */
  async function lock(unit: Unit, caller: Caller, id: string, headers: Parameters<typeof requireMatch>[0]) {
    const view = await viewTable.get(unit, { id }, { lock: true })
    const isOwn = view.createdBy === caller.userId
    if (!isOwn && !(view.shared && !caller.isCustomer && mayOpenList(caller, view.list)))
      throw common.not_found({ what: 'view' })
    if (!isOwn) requireShare(caller)
    requireMatch(headers, etag(view.version))
    return view
  }

  return [
    route({
      method: 'get',
      path: '/console/views',
      operationId: 'listSavedViews',
      summary: "Lists the caller's saved views of a list and those that others share, by name.",
      allow: 'user',
      query: ViewQuery,
      replies: { 200: listOf(View) },
      problems: [common.tenant_required, common.not_found],
      async handle({ tenantId, caller, query: { list } }) {
        if (tenantId === undefined) throw common.tenant_required()
        requireList(caller, list)
        const data = await viewTable.query(
          database.tenant(tenantId),
          `select ${viewTable.columns()} from console_views where list = $1 and (created_by = $2 or shared and not $3)
           order by created_by <> $2, name collate larder_names, id limit ${MAX_VIEWS + MAX_SHARED}`,
          [list, caller.userId, caller.isCustomer === true],
        )
        return { data: data.sort((a, b) => byNames(a.name, b.name)), nextCursor: null }
      },
    }),
    route({
      method: 'post',
      path: '/console/views',
      operationId: 'createSavedView',
      summary: 'Saves a view of a list that the caller can open.',
      description: `Requires \`${SHARE}\` to share the view.`,
      allow: 'user',
      body: NewView,
      replies: { 201: View },
      problems: [
        common.tenant_required,
        common.not_found,
        common.forbidden,
        'entitlement_exceeded' as const,
        problems.view_name_taken,
        problems.too_many_views,
      ],
      handle: ({ tenantId, caller, body: { shared = false, ...view } }) =>
        inTenant(tenantId, async (unit, tenantId) => {
          requireList(caller, view.list)
          if (shared) requireShare(caller)
          await requireStorage(tenantId, view)
          const { counted } = await unit.all({
            lock: lockStep('console.views', tenantId, caller.userId),
            counted: [
              'select count(*)::integer as count from console_views where list = $1 and created_by = $2',
              [view.list, caller.userId],
            ],
          })
          if (Number(counted.rows[0]?.count) >= MAX_VIEWS) throw problems.too_many_views({ limit: MAX_VIEWS })
          const now = new Date(clock.now())
          const stored = await viewTable
            .insert(unit, {
              ...view,
              id: newId('viw', clock.now()),
              tenantId,
              shared,
              createdBy: caller.userId,
              createdAt: now,
              updatedAt: now,
            })
            .catch(rethrow)
          return replyWith(201, stored, { location: `/v1/console/views/${stored.id}` })
        }),
    }),
    route({
      method: 'patch',
      path: '/console/views/:id',
      operationId: 'updateSavedView',
      summary: 'Changes a saved view. Supports If-Match.',
      description: `Requires \`${SHARE}\` to share a view, or to change a shared one. Its owner can always make it private.`,
      allow: 'user',
      body: ViewPatch,
      replies: { 200: View },
      problems: [
        common.tenant_required,
        common.not_found,
        common.forbidden,
        common.precondition_failed,
        'entitlement_exceeded' as const,
        problems.view_name_taken,
      ],
      handle: ({ tenantId, caller, params: { id }, body, request }) =>
        inTenant(tenantId, async (unit, tenantId) => {
          const before = await lock(unit, caller, id, request.headers)
          // Whoever may no longer share can make their own view private, and delete it.
          if (body.shared ?? before.shared) requireShare(caller)
          await requireStorage(tenantId, body)
          const stored = await viewTable
            .update(unit, { id }, { ...body, updatedAt: new Date(clock.now()) })
            .catch(rethrow)
          return replyWith(200, stored)
        }),
    }),
    route({
      method: 'delete',
      path: '/console/views/:id',
      operationId: 'deleteSavedView',
      summary: 'Deletes a saved view. Supports If-Match.',
      description: `Requires \`${SHARE}\` to delete a view that somebody else shares.`,
      allow: 'user',
      replies: { 204: null },
      problems: [common.tenant_required, common.not_found, common.forbidden, common.precondition_failed],
      handle: ({ tenantId, caller, params: { id }, request }) =>
        inTenant(tenantId, async unit => {
          await lock(unit, caller, id, request.headers)
          await viewTable.delete(unit, { id })
        }),
    }),
  ]
}
