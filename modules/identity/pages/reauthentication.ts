/** A signed-in person proves again who they are, and goes on. */
import { page, Type } from '@larder-dev/larder/kernel'
import { KnownPassword } from '../domain/fields.ts'
import { reauthenticateLimits } from '../domain/rate-limits.ts'
import { REAUTHENTICATION_PATH, safeReturnPath } from '../domain/return-path.ts'
import { FactorCode } from '../records/second-factor.ts'
import type { ReauthenticationProof } from '../services/sign-in/reauthentication.ts'
import type { IdentityServices } from '../services.ts'
import { formValidator, NO_ERRORS, submit } from './form.ts'
import { passkeyIn } from './passkey-form.ts'

export function reauthenticationPages({ reauthentication }: IdentityServices) {
  const proofForm = formValidator<ReauthenticationProof>(
    Type.Object({ password: Type.Optional(KnownPassword), code: Type.Optional(FactorCode) }),
  )
  const view = async (userId: string, next: string) => ({
    ...(await reauthentication.choices(userId)),
    next,
    signInPath: `/sign-in?again=1&next=${encodeURIComponent(next)}`,
    ...NO_ERRORS,
  })

  return [
    page({
      name: 'identity.confirm',
      path: REAUTHENTICATION_PATH,
      title: 'Confirm your identity',
      allow: 'user',
      limits: reauthenticateLimits,
      load: async ({ caller, query }) => ({ data: await view(caller.userId, safeReturnPath(query.next)) }),
      post({ caller, form }) {
        const next = safeReturnPath(form.next)
        return submit(
          () => view(caller.userId, next),
          async () => {
            const proof = form.passkey ? { passkey: passkeyIn(form.passkey) } : proofForm(form, ['password', 'code'])
            await reauthentication.confirm(caller, proof)
            return { redirect: next }
          },
        )
      },
    }),
  ]
}
