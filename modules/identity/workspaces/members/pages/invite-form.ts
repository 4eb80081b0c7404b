/** Inviting several people at once: each address succeeds or fails by itself. */
import { common, Problem, type Wording } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { errorMessage } from '../../../pages/form.ts'

const MAX_ADDRESSES = 50

export interface InviteResults {
  /** `link` is set if no module sends mail. */
  readonly sent: readonly { readonly email: string; readonly link: string | null }[]
  readonly failed: readonly { readonly email: string; readonly reason: Wording }[]
}

/** Addresses that spaces, commas, semicolons or line breaks separate, each once. */
export function splitAddresses(text: string): readonly string[] {
  const byKey = new Map(text.split(/[\s,;]+/).flatMap(part => (part === '' ? [] : [[emailKey(part), part] as const])))
  return [...byKey.values()].slice(0, MAX_ADDRESSES)
}

export async function inviteAll(
  addresses: readonly string[],
  invite: (address: string) => Promise<InviteResults['sent'][number]>,
): Promise<InviteResults> {
  const sent: InviteResults['sent'][number][] = []
  const failed: InviteResults['failed'][number][] = []
  for (const email of addresses.length === 0 ? [''] : addresses) {
    try {
      sent.push(await invite(email))
    } catch (error) {
      if (!Problem.is(error) || error.status >= 500 || error.code === common.reauthentication_required.code) throw error
      failed.push({ email, reason: errorMessage(error) })
    }
  }
  return { sent, failed }
}
