/** Sign-in with a passkey. Its route validates the body. */
import type { SignInMethod } from '../../ports.ts'
import { bodyStrategy } from './body-strategy.ts'
import type { Passkeys } from './passkeys.ts'
import { PASSKEY } from './sign-in-methods.ts'

export function createPasskeyMethod({ passkeys }: { readonly passkeys: Passkeys }): SignInMethod {
  return {
    name: PASSKEY,
    label: 'Passkey',
    flow: 'credentials',
    strategy: () => bodyStrategy(passkeys.authenticate),
  }
}
