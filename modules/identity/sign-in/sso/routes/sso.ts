/** Single sign-on of the workspace: domains and provider. */
import { common, type Deps, listOf, listQuery, reply, route, Type } from '@larder-dev/larder/kernel'
import { ssoLimits } from '../../../domain/rate-limits.ts'
import type { SignInServices } from '../../services.ts'
import { ssoProblems } from '../problems.ts'
import { SamlConfiguration, SsoConfiguration, SsoConnection, SsoDomain } from '../records.ts'

const READ = 'identity.sso.read'
const MANAGE = 'identity.sso.manage'
const PATH = '/identity/sso'

export function ssoRoutes({ product, ssoConnections, ssoDomains, settings }: Deps<'product'> & SignInServices) {
  if (!settings.enterprise) return []
  /** Providers and domains decide who signs in as whom, so a key of an integration can't change them. */
  const change = { allow: MANAGE, apiKeys: false } as const

  const getConnection = route({
    method: 'get',
    path: `${PATH}/connection`,
    operationId: 'getSsoConnection',
    summary: 'Returns the provider of the single sign-on. Its secret is never returned.',
    allow: READ,
    replies: { 200: SsoConnection },
    problems: [common.not_found],
    handle: ({ tenantId }) => ssoConnections.get(tenantId),
  })

  const putConnection = route({
    ...change,
    method: 'put',
    path: `${PATH}/connection`,
    operationId: 'putSsoConnection',
    summary: 'Sets an OpenID Connect provider.',
    description:
      "Replaces a SAML provider. A first provider is off. Another issuer or client turns single sign-on off until a test of it succeeds. You can't map groups to roles with permissions that you don't hold.",
    body: SsoConfiguration,
    replies: { 200: SsoConnection },
    problems: ['entitlement_exceeded', common.reauthentication_required],
    handle: ({ tenantId, body, caller }) => ssoConnections.put(tenantId, body, caller),
  })

  const putSamlConnection = route({
    ...change,
    method: 'put',
    path: `${PATH}/connection/saml`,
    operationId: 'putSamlConnection',
    summary: 'Sets a SAML provider by its metadata, the URL of its metadata, or its parts.',
    description:
      "Replaces an OpenID Connect provider. A first provider is off. Another entity ID or sign-in address turns single sign-on off until a test of it succeeds; other certificates don't. The provider needs the metadata of the workspace, at `/sign-in/sso/<workspace ID>/metadata`.",
    body: SamlConfiguration,
    // No connection waits for the provider.
    unit: 'own',
    replies: { 200: SsoConnection },
    problems: ['entitlement_exceeded', ssoProblems.sso_metadata_unavailable, common.reauthentication_required],
    limits: ssoLimits,
    handle: ({ tenantId, body, caller }) => ssoConnections.putSaml(tenantId, body, caller),
  })

  const turnConnection = route({
    ...change,
    method: 'patch',
    path: `${PATH}/connection`,
    operationId: 'updateSsoConnection',
    summary: 'Turns single sign-on on or off, and requires it.',
    description:
      'Needs a successful test and a verified domain. `required` is for members with an address of a verified domain, whatever their address is later, and for those whom the provider has linked. Owners of the workspace can always sign in another way.',
    body: Type.Object({ enabled: Type.Optional(Type.Boolean()), required: Type.Optional(Type.Boolean()) }),
    replies: { 200: SsoConnection },
    problems: [
      common.reauthentication_required,
      common.not_found,
      'entitlement_exceeded',
      ssoProblems.sso_off,
      ssoProblems.sso_not_tested,
      ssoProblems.sso_without_domain,
    ],
    handle: ({ tenantId, body, caller }) => ssoConnections.turn(tenantId, body, caller),
  })

  const removeConnection = route({
    ...change,
    method: 'delete',
    path: `${PATH}/connection`,
    operationId: 'deleteSsoConnection',
    summary: 'Removes the provider. Accounts and members stay; people sign in another way.',
    replies: { 204: null },
    problems: [common.not_found],
    handle: ({ tenantId, caller }) => ssoConnections.remove(tenantId, caller),
  })

  const testConnection = route({
    ...change,
    method: 'post',
    path: `${PATH}/connection/test`,
    operationId: 'testSsoConnection',
    summary: 'Returns the URL of a sign-in that signs nobody in.',
    description:
      'Open the URL within 10 minutes in a browser in which you are signed in. Then `lastTest` of the connection contains the claims, or why the test failed.',
    idempotent: false,
    replies: { 200: Type.Object({ url: Type.String() }) },
    problems: [common.not_found, 'entitlement_exceeded'],
    limits: ssoLimits,
    handle: async ({ tenantId, caller }) => ({
      url: `${product.publicUrl}${await ssoConnections.testPath(tenantId, caller)}`,
    }),
  })

  const listDomains = route({
    method: 'get',
    path: `${PATH}/domains`,
    operationId: 'listSsoDomains',
    summary: 'Lists the email domains of the workspace, by name.',
    allow: READ,
    query: listQuery(),
    replies: { 200: listOf(SsoDomain) },
    // A workspace has few.
    handle: async ({ tenantId }) => ({ data: [...(await ssoDomains.list(tenantId))], nextCursor: null }),
  })

  const addDomain = route({
    ...change,
    method: 'post',
    path: `${PATH}/domains`,
    operationId: 'addSsoDomain',
    summary: 'Adds an email domain, which a TXT record must verify.',
    body: Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253 }) }),
    replies: { 201: SsoDomain },
    problems: [
      'entitlement_exceeded',
      ssoProblems.sso_domain_taken,
      ssoProblems.sso_domain_exists,
      ssoProblems.too_many_sso_domains,
    ],
    limits: ssoLimits,
    async handle({ tenantId, body, caller }) {
      const domain = await ssoDomains.add(tenantId, body.domain, caller)
      return reply(201, domain, { location: `/v1${PATH}/domains/${domain.id}` })
    },
  })

  const verifyDomain = route({
    ...change,
    method: 'post',
    path: `${PATH}/domains/:id/verify`,
    operationId: 'verifySsoDomain',
    summary: 'Looks up the TXT record of the domain, and verifies it.',
    // No connection waits for name servers.
    unit: 'own',
    replies: { 200: SsoDomain },
    problems: [
      'entitlement_exceeded',
      ssoProblems.sso_domain_taken,
      ssoProblems.sso_record_missing,
      ssoProblems.sso_dns_unavailable,
    ],
    limits: ssoLimits,
    handle: ({ tenantId, params, caller }) => ssoDomains.verify(tenantId, params.id, caller),
  })

  const removeDomain = route({
    ...change,
    method: 'delete',
    path: `${PATH}/domains/:id`,
    operationId: 'deleteSsoDomain',
    summary: 'Removes an email domain. Its addresses no longer use single sign-on.',
    replies: { 204: null },
    handle: ({ tenantId, params, caller }) => ssoDomains.remove(tenantId, params.id, caller),
  })

  return [
    getConnection,
    putConnection,
    putSamlConnection,
    turnConnection,
    removeConnection,
    testConnection,
    listDomains,
    addDomain,
    verifyDomain,
    removeDomain,
  ]
}
