import type { RecipeFault, ReviewedRecipe } from 'larder/kernel'
import { isSendGridKey } from '../services/providers/sendgrid.ts'
import type { CommsOptions } from '../options.ts'

/** What the schemas cannot say: a key that is none would stop the start. */
export function validate({ options }: ReviewedRecipe<CommsOptions>): readonly RecipeFault[] {
  const key = options.intake?.sendgrid?.publicKey ?? ''
  if (key === '' || isSendGridKey(key)) return []
  const hint = 'copy the verification key of the signed event webhook, as SendGrid shows it'
  return [{ path: ['modules', 'comms', 'intake', 'sendgrid', 'publicKey'], message: 'this is no public key', hint }]
}
