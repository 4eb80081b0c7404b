/** First run: a user claims the installation with the code that the terminal shows. */
import { type Deps, page, Type } from '@larder-dev/larder/kernel'
import { WELCOME_PATH } from '../../accounts/pages/welcome.ts'
import { ClaimCode } from '../../domain/fields.ts'
import { claimLimits } from '../../domain/rate-limits.ts'
import { CLAIM_PATH } from '../../domain/return-path.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { OperatorServices } from '../services.ts'

export function claimPages({ claims, cookies, operator }: Deps<'operator'> & OperatorServices) {
  const claimForm = formValidator<{ code: string }>(Type.Object({ code: ClaimCode }))
  const claim = page({
    name: 'identity.claim',
    path: CLAIM_PATH,
    title: 'Claim this installation',
    allow: 'public',
    limits: claimLimits,
    load: async ({ caller }) => ({
      data: { code: '', ...NO_ERRORS, signedIn: caller !== undefined, claimed: !(await claims.isOpen()) },
    }),
    async post({ caller, form }) {
      if (!caller) return { redirect: CLAIM_PATH }
      const shown = { code: form.code ?? '', signedIn: true, claimed: false }
      return submit(shown, async () => {
        await claims.claim(claimForm(form, ['code']).code, caller)
        return { redirect: WELCOME_PATH, headers: cookies.inTenant(operator.tenantId) }
      })
    },
  })
  return [claim]
}
