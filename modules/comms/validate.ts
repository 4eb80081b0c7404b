import type { RecipeFault, ValidatedRecipe } from 'larder/kernel'
import { isSendGridKey } from './intake/sendgrid.ts'
import type { CommsOptions } from './options.ts'

/** What the schemas cannot say: a key that is none would stop the start. */
export function validate({ options }: ValidatedRecipe<CommsOptions>): readonly RecipeFault[] {
  const key = options.intake?.sendgrid?.publicKey ?? ''
  if (key === '' || isSendGridKey(key)) return []
  const hint = 'copy the verification key of the signed event webhook, as SendGrid shows it'
  return [{ path: ['modules', 'comms', 'intake', 'sendgrid', 'publicKey'], message: 'this is no public key', hint }]
}
