import { common } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { AuthenticationBody } from '../records.ts'

const check = createValidator().body(AuthenticationBody)

/** The response of a passkey in the field of a form, which the script of the pages fills in. */
export function passkeyIn(field: string): AuthenticationBody {
  try {
    return check(JSON.parse(field)) as AuthenticationBody
  } catch (error) {
    throw error instanceof SyntaxError ? common.validation_failed() : error
  }
}
