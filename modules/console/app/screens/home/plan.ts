/**
 * What the home screen asks for. It depends on the reader and the resources alone, so the document starts these requests
 * before the application has loaded. Without React.
 */
import type { Resource } from '../../public.ts'
import {
  type Cards,
  collectionsOf,
  countPath,
  isCollection,
  listFilters,
  periodOf,
  revenueQuery,
  thisWeek,
} from './cards.ts'
import { type Check, checksOf } from './checks.ts'
import type { Reader } from './reader.ts'

export interface HomePlan {
  readonly isOperator: boolean
  /** The list in which a new product has nothing yet. */
  readonly first: Resource | undefined
  readonly staff: Resource | undefined
  readonly showsMembers: boolean
  readonly checks: readonly Check[]
  readonly showsQueue: boolean
  readonly showsPlan: boolean
  readonly showsUsage: boolean
  readonly showsLog: boolean
}
export interface HomeRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  /** Whether it counts the rows of a list. */
  readonly isCount?: true
}

/** The module that sends mail. */
export const MAIL = 'comms'
/** Entries of the activity. */
export const MAX_ENTRIES = 8
/** Entries of the log, of which many aren't shown. */
export const READ_ENTRIES = 30

export function homePlan({ audience, hasArea, may, mayOnPlatform, resources }: Reader): HomePlan {
  // Only the console of the operator's workspace has the area.
  const isOperator = hasArea('platform') && mayOnPlatform('platform.module.configure')
  const hasBilling = resources.some(({ module }) => module === 'billing')
  return {
    isOperator,
    first: isOperator ? firstOf(resources) : undefined,
    staff: isOperator ? resources.find(({ id }) => id === 'identity.staff') : undefined,
    showsMembers: isOperator && audience === 'teams' && may('identity.member.read'),
    checks: checksOf(resources),
    showsQueue: hasArea('platform') && mayOnPlatform('platform.queue.read'),
    showsPlan: may('billing.subscription.read') && hasBilling,
    showsUsage: !hasArea('platform') && may('billing.entitlement.read') && hasBilling,
    showsLog: hasArea('platform') && (may('platform.audit.read') || mayOnPlatform('platform.tenant.read_all')),
  }
}

const firstOf = (resources: readonly Resource[]): Resource | undefined =>
  collectionsOf(resources).find(({ operations }) => operations.create) ??
  resources.find(({ id, operations }) => id === 'content.pages' && operations.create)

/** In the order of the screen: browsers send six at the same time. */
export function requestsOf(plan: HomePlan): HomeRequest[] {
  const count = ({ operations }: Resource, query = {}): HomeRequest => ({
    path: operations.list.path,
    query,
    isCount: true,
  })
  const get = (isShown: boolean, path: string, query = {}): HomeRequest[] => (isShown ? [{ path, query }] : [])
  return [
    ...[plan.first, plan.staff].flatMap(resource => (resource ? [count(resource)] : [])),
    ...get(plan.showsMembers, '/v1/identity/members', { limit: 2 }),
    ...get(plan.isOperator, '/v1/platform/settings', { owner: MAIL }),
    ...plan.checks.map(({ resource, filters }) => count(resource, filters)),
    ...get(plan.showsQueue, '/v1/platform/queue'),
    ...get(plan.isOperator, '/v1/platform/problems'),
    ...get(plan.showsPlan, '/v1/billing/subscription'),
    ...get(plan.showsUsage, '/v1/billing/entitlements'),
    ...get(plan.showsLog, '/v1/platform/audit', { limit: READ_ENTRIES }),
    ...get(true, '/v1/platform/activity', { limit: MAX_ENTRIES }),
  ]
}

/** What its first chart and its numbers ask for. */
export function cardRequests({ numbers, charts: [chart] }: Cards): HomeRequest[] {
  const shown: HomeRequest[] = []
  if (chart?.kind === 'rows') shown.push({ path: countPath(chart, periodOf(chart)) })
  else if (chart) shown.push({ path: '/v1/billing/admin/revenue', query: revenueQuery() })
  for (const card of numbers)
    if (isCollection(card.resource)) shown.push({ path: countPath(card) }, { path: countPath(card, thisWeek()) })
    else shown.push({ path: card.resource.operations.list.path, query: listFilters(card.filters), isCount: true })
  return shown
}
