/** What doesn't work with the single sign-on of workspaces, for operators. */
import type { Deps } from '@larder-dev/larder/kernel'
import { describeFailure } from '../providers/provider-failures.ts'
import { lapsesAt } from './sso-domains.ts'
import type { SsoFetch } from './sso-fetch.ts'

/** Of each kind. */
const MAX_FINDINGS = 20

export interface SsoFindings {
  /** One sentence for each problem. Also asks the providers. */
  list(): Promise<readonly string[]>
  /** One sentence for each domain whose record is missing. */
  domains(): Promise<readonly string[]>
}
type Needs = Deps<'systemDatabase'> & { readonly ssoFetch: SsoFetch }

export function createSsoFindings({ systemDatabase, ssoFetch }: Needs): SsoFindings {
  const everywhere = () => systemDatabase.acrossTenants('operators see the single sign-on of every tenant')

  async function domains(): Promise<readonly string[]> {
    const { rows } = await everywhere().query<{ domain: string; name: string; missing_since: Date }>(
      `select d.domain, d.missing_since, t.name from identity_sso_domains d
       join identity_tenants t on t.tenant_id = d.tenant_id
       where d.verified_at is not null and d.missing_since is not null order by d.missing_since limit ${MAX_FINDINGS}`,
    )
    return rows.map(
      ({ domain, name, missing_since }) =>
        `The DNS record of ${domain}, a domain of the workspace "${name}", is missing. Single sign-on ends for it on ${lapsesAt(missing_since).toISOString()}.`,
    )
  }

  /** Of OpenID Connect. */
  async function providers(): Promise<readonly string[]> {
    const { rows } = await everywhere().query<{ issuer: string; name: string }>(
      `select c.issuer, t.name from identity_sso_connections c join identity_tenants t on t.tenant_id = c.tenant_id
       where c.enabled and c.protocol = 'oidc' order by c.updated_at desc limit ${MAX_FINDINGS}`,
    )
    const found = await Promise.all(
      rows.map(async ({ issuer, name }) => {
        const failure = await failureOf(issuer)
        return failure === undefined
          ? []
          : [`The provider ${issuer} of the workspace "${name}" can't be used: ${failure}.`]
      }),
    )
    return found.flat()
  }

  async function failureOf(issuer: string): Promise<string | undefined> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    try {
      const { issuer: own } = JSON.parse(await ssoFetch.read(url)) as { readonly issuer?: unknown }
      return own === issuer ? undefined : 'its discovery document is about another issuer'
    } catch (error) {
      return describeFailure(error)
    }
  }

  return { domains, list: async () => (await Promise.all([domains(), providers()])).flat() }
}
