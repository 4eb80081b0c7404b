import { named, route, Type } from '@larder-dev/larder/kernel'
import { ClaimCode } from '../../domain/fields.ts'
import { claimLimits } from '../../domain/rate-limits.ts'
import { Membership } from '../../workspaces/records.ts'
import { operatorProblems } from '../problems.ts'
import type { OperatorServices } from '../services.ts'

const ClaimedInstallation = named('ClaimedInstallation', Type.Object({ membership: Membership }))

export function claimRoutes({ claims }: OperatorServices) {
  const claim = route({
    allow: 'user',
    apiKeys: false,
    // A person claims before a workspace is theirs.
    unit: 'own',
    method: 'post',
    path: '/auth/claim',
    operationId: 'claimInstallation',
    summary: 'Makes the caller the owner of this installation. Requires the claim code that the first start prints.',
    idempotent: false,
    body: Type.Object({ code: ClaimCode }),
    replies: { 200: ClaimedInstallation },
    problems: [operatorProblems.invalid_claim],
    limits: claimLimits,
    handle: async ({ caller, body }) => ({ membership: await claims.claim(body.code, caller) }),
  })

  return [claim]
}
