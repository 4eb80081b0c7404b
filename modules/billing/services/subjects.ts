/** Decides whom a plan belongs to: in products of teams the workspace, in products of people a customer too. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import { type Subject, workspaceOf } from '../domain/subject.ts'
import type { PlanHolder } from '../ports.ts'

interface CallersRequest {
  readonly tenantId: string
  readonly caller: Pick<Caller, 'memberId' | 'userId' | 'isCustomer'>
}

export interface Subjects {
  /** Whether plans belong to customers. */
  readonly arePeople: boolean
  /** The columns of a key of one row per subject. */
  readonly key: string
  of(holder: PlanHolder): Subject
  /** Whose plan routes and pages show and change: in a product of people, each member's own. */
  ofCaller(request: CallersRequest): Subject
  /** Whose plan limits the caller: that of customers is their own, and staff work for the workspace. */
  limiting(request: CallersRequest): Subject
}

export function createSubjects({ product }: Deps<'product'>): Subjects {
  const arePeople = product.audience === 'people'

  function of(holder: PlanHolder): Subject {
    if (typeof holder === 'string') return workspaceOf(holder)
    const { tenantId, memberId, userId } = holder
    return arePeople ? { tenantId, memberId, userId } : workspaceOf(tenantId)
  }

  const ofCaller: Subjects['ofCaller'] = ({ tenantId, caller: { memberId, userId } }) =>
    of(memberId ? { tenantId, memberId, userId } : tenantId)
  return {
    arePeople,
    key: arePeople ? 'tenant_id, member_id' : 'tenant_id',
    of,
    ofCaller,
    limiting: request => (request.caller.isCustomer ? ofCaller(request) : workspaceOf(request.tenantId)),
  }
}
