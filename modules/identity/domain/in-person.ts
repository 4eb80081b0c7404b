/** What a person does themselves, and an operator who acts as them must not do in their name. */
import { type Caller, common } from '@larder-dev/larder/kernel'

/**
 * Routes with a permission and public pages offer such actions, too. The authorizer refuses only those that need no
 * permission. Throws `impersonated`.
 */
export function assertInPerson({ impersonatedBy }: Pick<Caller, 'impersonatedBy'>): void {
  if (impersonatedBy !== undefined) throw common.impersonated()
}
