import { type Caller, common, missingPermission } from '@larder-dev/larder/kernel'
import type { FormDefinition } from './form-cache.ts'

const SUBMIT = 'forms.submission.create'

/** Who submits: a member of the form's tenant, or the public. The spam check applies to the public only. */
export type SubmitterKind = 'member' | 'public'

/** Throws unless the caller may submit the form. A form of another tenant is `not_found`. */
export function authorizeSubmission({ access, tenantId }: FormDefinition, caller: Caller | undefined): SubmitterKind {
  const own = caller?.tenantId === tenantId
  if (own && caller.can(SUBMIT)) return 'member'
  if (access === 'public') return 'public'
  if (!caller) throw common.unauthenticated()
  if (!own) throw common.not_found({ what: 'form' })
  throw missingPermission(SUBMIT)
}
