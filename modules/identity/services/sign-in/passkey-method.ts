/** Sign-in with a passkey. Its route validates the body. */
import type { Request } from 'express'
import type { SignInMethod } from '../../ports.ts'
import type { AuthenticationBody } from '../../records/passkey.ts'
import type { Passkeys } from './passkeys.ts'
import { PASSKEY } from './sign-in-methods.ts'

export function createPasskeyMethod({ passkeys }: { readonly passkeys: Passkeys }): SignInMethod {
  return {
    name: PASSKEY,
    label: 'Passkey',
    flow: 'credentials',
    async strategy() {
      const { Strategy } = (await import('passport')).default
      return new (class extends Strategy {
        override authenticate({ body }: Request): void {
          passkeys.authenticate(body as AuthenticationBody).then(
            signedIn => (signedIn ? this.success(signedIn) : this.fail('invalid')),
            (error: unknown) => this.error(error),
          )
        }
      })()
    },
  }
}
