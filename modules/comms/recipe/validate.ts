import type { RecipeFault, ValidatedRecipe } from 'larder/kernel'
import type { CommsOptions } from '../options.ts'
import { isSendGridKey } from '../services/providers/sendgrid.ts'

/** Rejects an invalid public key, which would otherwise fail at startup. */
export function validate({ options }: ValidatedRecipe<CommsOptions>): readonly RecipeFault[] {
  const key = options.intake?.sendgrid?.publicKey ?? ''
  if (key === '' || isSendGridKey(key)) return []
  const hint = 'copy the verification key of the signed event webhook from SendGrid'
  return [{ path: ['modules', 'comms', 'intake', 'sendgrid', 'publicKey'], message: 'this is not a public key', hint }]
}
