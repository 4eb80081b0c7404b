/** Sign-in with a passkey. Its route validates the body. */
import type { VerifyingMethod } from '../../ports.ts'
import { PASSKEY } from '../sign-in-methods.ts'
import type { Passkeys } from './passkeys.ts'
import type { AuthenticationBody } from './records.ts'

export function createPasskeyMethod({ passkeys }: { readonly passkeys: Passkeys }): VerifyingMethod {
  return {
    name: PASSKEY,
    label: 'Passkey',
    flow: 'credentials',
    verify: body => passkeys.authenticate(body as AuthenticationBody),
  }
}
