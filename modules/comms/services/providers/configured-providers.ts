import type { Deps } from '@larder-dev/larder/kernel'
import type { CommsOptions } from '../../options.ts'
import type { MailProvider } from '../../ports.ts'
import { createSendGrid } from './sendgrid.ts'

/** Email providers that the recipe configures, and the one that another module may provide. */
export function configuredProviders(
  { mailProvider }: Deps<never, 'mailProvider'>,
  { intake }: CommsOptions,
): readonly MailProvider[] {
  const key = intake?.sendgrid?.publicKey ?? ''
  return [...(key === '' ? [] : [createSendGrid(key)]), ...(mailProvider ? [mailProvider] : [])]
}
