import { isIP } from 'node:net'
import type { RecipeDiagnostic, ValidatedRecipe } from '@larder-dev/larder/kernel'
import { namedAddressError } from '../domain/address.ts'
import { type CommsOptions, senderOf } from '../options.ts'
import { isSendGridKey } from '../services/providers/sendgrid.ts'

/** Reports mistakes that would otherwise fail at startup. */
export const validate = (recipe: ValidatedRecipe<CommsOptions>): readonly RecipeDiagnostic[] => [
  ...senderFaults(recipe),
  ...localSender(recipe),
  ...transportFaults(recipe),
  ...publicKeyFaults(recipe),
]

function senderFaults({ options: { from } }: ValidatedRecipe<CommsOptions>): RecipeDiagnostic[] {
  const error = from === undefined ? undefined : namedAddressError(from)
  return error ? [{ path: ['modules', 'comms', 'from'], code: 'invalid_value', ...error }] : []
}

/** A warning, because the environment of the server may set the public URL. */
function localSender({ options, publicUrl, env }: ValidatedRecipe<CommsOptions>): RecipeDiagnostic[] {
  const { from } = options
  // An invalid address is reported by itself.
  if (options.transport === 'mailbox' || (from !== undefined && namedAddressError(from))) return []
  const url = env.PUBLIC_URL !== undefined && URL.canParse(env.PUBLIC_URL) ? env.PUBLIC_URL : publicUrl
  // An invalid URL is reported by itself.
  if (!URL.canParse(url)) return []
  const { address } = senderOf(options, { name: '', publicUrl: url })
  if (!isLocalHost(address.slice(address.lastIndexOf('@') + 1))) return []
  return [
    {
      severity: 'warning',
      code: 'local_sender',
      path: ['modules', 'comms', ...(from === undefined ? [] : ['from'])],
      message: `Mail has the sender ${address}, which other servers refuse`,
      hint: `Write from: Acme <hello@acme.com> with an address of your own domain${from === undefined ? ', or set PUBLIC_URL' : ''}`,
    },
  ]
}

/** Names and addresses that have no mail server on the internet. */
const isLocalHost = (host: string): boolean =>
  !host.includes('.') || isIP(host) !== 0 || /\.(localhost|local|internal|lan|home\.arpa)$/i.test(host)

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
