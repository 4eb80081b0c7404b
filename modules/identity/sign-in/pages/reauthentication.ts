/** A signed-in person proves again who they are, and goes on. */
import { common, KIB, page, Type } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { KnownPassword } from '../../domain/fields.ts'
import { reauthenticatePageLimits } from '../../domain/rate-limits.ts'
import { REAUTHENTICATION_PATH, safeReturnPath } from '../../domain/return-path.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { EmailedCode } from '../codes/proof-codes.ts'
import { ProofCode } from '../codes/records.ts'
import { passkeyIn } from '../passkeys/pages/passkey-form.ts'
import type { ReauthenticationProof } from '../reauthentication.ts'
import { FactorCode } from '../second-factor/records.ts'
import type { SignInServices } from '../services.ts'

/** A form of another page has up to 64 KiB, and up to three times as many as JSON in a field of this page's form. */
const MAX_KEPT_BYTES = 256 * KIB

export function reauthenticationPages({ reauthentication }: SignInServices) {
  const proofForm = formValidator<ReauthenticationProof>(
    Type.Object({ password: Type.Optional(KnownPassword), code: Type.Optional(FactorCode) }),
  )
  const codeForm = formValidator<EmailedCode>(ProofCode)
  const view = async (userId: string, next: string, kept: string, request = '') => ({
    ...(await reauthentication.choices(userId)),
    next,
    kept,
    request,
    fields: null,
    // People who can only sign in again do so in another tab, and continue here.
    waiting: kept === '' ? null : keptFields(kept),
    signInPath: `/sign-in?again=1&next=${encodeURIComponent(next)}`,
    ...NO_ERRORS,
  })

  function proofIn(form: Readonly<Record<string, string>>): ReauthenticationProof {
    if (form.passkey) return { passkey: passkeyIn(form.passkey) }
    if (form.request) return { emailCode: codeForm(form, ['request', 'code']) }
    return proofForm(form, ['password', 'code'])
  }

  return [
    page({
      name: 'identity.confirm',
      path: REAUTHENTICATION_PATH,
      title: 'Confirm your identity',
      allow: 'user',
      limits: reauthenticatePageLimits,
      formLimit: MAX_KEPT_BYTES,
      load: async ({ caller, query }) => ({ data: await view(caller.userId, safeReturnPath(query.next), '') }),
      async post({ caller, form, query }) {
        // The form of another page, which sent it here because it needs a proof. It is stored nowhere.
        if (query.next !== undefined)
          return {
            data: await view(caller.userId, safeReturnPath(query.next), keptOf(form)),
            headers: NOT_STORED,
          }
        const { kept = '' } = form
        const next = safeReturnPath(form.next)
        return submit(
          () => view(caller.userId, next, isForm(kept) ? kept : '', form.request),
          async () => {
            if (kept !== '' && !isForm(kept)) throw common.validation_failed()
            if (form.intent === 'send-code') {
              const request = await reauthentication.sendCode(caller.userId)
              return { data: await view(caller.userId, next, kept, request), headers: NOT_STORED }
            }
            const proof = proofIn(form)
            await reauthentication.confirm(caller, proof)
            if (kept === '') return { redirect: next }
            return { data: { next, fields: keptFields(kept) }, headers: NOT_STORED }
          },
        )
      },
    }),
  ]
}

const NOT_STORED = { 'cache-control': 'no-store' }

/** Empty for a form that is a single button: the person goes back to its page, and nothing is lost. */
const keptOf = (form: Readonly<Record<string, string>>): string =>
  Object.keys(form).some(name => name !== 'intent' && name !== 'id') ? JSON.stringify(form) : ''

const checkKept = createValidator().body(Type.Record(Type.String(), Type.String()))

/** Whether it is a form that this page got and rendered. */
function isForm(kept: string): boolean {
  try {
    checkKept(JSON.parse(kept))
    return true
  } catch {
    return false
  }
}

const keptFields = (kept: string): { name: string; value: string }[] =>
  Object.entries(JSON.parse(kept) as Record<string, string>).map(([name, value]) => ({ name, value }))
