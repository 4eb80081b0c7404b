import type { Deps } from 'larder/kernel'
import type { CommsOptions } from '../../options.ts'
import type { MailProvider } from '../../ports.ts'
import { createSendGrid } from './sendgrid.ts'

/** Whoever tells what becomes of our mail: those that the recipe names, and one that another module brings. */
export function providersOf(
  { mailProvider }: Deps<never, 'mailProvider'>,
  { intake }: CommsOptions,
): readonly MailProvider[] {
  const key = intake?.sendgrid?.publicKey ?? ''
  return [...(key === '' ? [] : [createSendGrid(key)]), ...(mailProvider ? [mailProvider] : [])]
}
