/** TXT records of the DNS. */
import { Resolver } from 'node:dns/promises'
import { once } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../../options.ts'

/** The values of a domain's records. Null if the name servers didn't answer, which says nothing about the domain. */
export type TxtRecords = (domain: string) => Promise<readonly string[] | null>

/** Answers that the domain, or a record of this type, doesn't exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

export function createTxtRecords({ settings }: { readonly settings: IdentitySettings }): TxtRecords {
  const resolver = once(() => {
    const created = new Resolver({ timeout: 3000, tries: 2 })
    const { dnsServers = [] } = settings.enterprise ?? {}
    if (dnsServers.length > 0) created.setServers([...dnsServers])
    return created
  })
  return async domain => {
    try {
      return (await resolver().resolveTxt(domain)).map(parts => parts.join(''))
    } catch (error) {
      return ABSENT.has(String((error as NodeJS.ErrnoException).code)) ? [] : null
    }
  }
}
