import type { RecipeDiagnostic, ValidatedRecipe } from '@larder-dev/larder/kernel'
import { namedAddressError } from '../domain/address.ts'
import type { CommsOptions } from '../options.ts'
import { isSendGridKey } from '../services/providers/sendgrid.ts'

/** Reports mistakes that would otherwise fail at startup. */
export const validate = (recipe: ValidatedRecipe<CommsOptions>): readonly RecipeDiagnostic[] => [
  ...senderFaults(recipe),
  ...transportFaults(recipe),
  ...publicKeyFaults(recipe),
]

function senderFaults({ options: { from } }: ValidatedRecipe<CommsOptions>): RecipeDiagnostic[] {
  const error = from === undefined ? undefined : namedAddressError(from)
  return error ? [{ path: ['modules', 'comms', 'from'], code: 'invalid_value', ...error }] : []
}

/** A warning, because the environment of the server may set the variable. */
const transportFaults = ({ options, env }: ValidatedRecipe<CommsOptions>): RecipeDiagnostic[] =>
  options.transport === 'smtp' && !options.smtp?.url && !env.SMTP_URL
    ? [
        {
          severity: 'warning',
          code: 'missing_smtp_url',
          path: ['modules', 'comms', 'transport'],
          message: 'The SMTP transport has no server URL',
          hint: 'Set smtp.url, or the environment variable SMTP_URL',
        },
      ]
    : []

function publicKeyFaults({ options }: ValidatedRecipe<CommsOptions>): RecipeDiagnostic[] {
  const key = options.intake?.sendgrid?.publicKey ?? ''
  if (key === '' || isSendGridKey(key)) return []
  const hint = 'copy the verification key of the signed event webhook from SendGrid'
  return [{ path: ['modules', 'comms', 'intake', 'sendgrid', 'publicKey'], message: 'Invalid public key', hint }]
}
