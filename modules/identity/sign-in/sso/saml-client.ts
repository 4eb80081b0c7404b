/** Requests to providers of SAML and their responses, by `@node-saml/node-saml`. */
import { type Deps, MINUTE, Problem, SECOND, type WorkerTask, workerPoolProblems } from '@larder-dev/larder/kernel'
import { importOptional } from '@larder-dev/larder/kernel/internal'
import { SSO } from '../sign-in-methods.ts'
import { isValidAt } from './domain/certificates.ts'
import type { ResponseOutline } from './domain/saml-xml.ts'
import type { SamlPerson } from './records.ts'
import { samlConfig, type verifySaml } from './saml-verification.ts'
import type { OpenSsoConnection } from './sso-connections.ts'

/** How long a person may take at the provider. */
export const REQUEST_TTL_MS = 10 * MINUTE
/** A response of as many nodes as are accepted takes it for ten certificates. */
const TIMEOUT_MS = SECOND
/** After it, the thread ends. The library works asynchronously, so the watchdog doesn't interrupt it. */
const MAX_ELAPSED_MS = 20 * SECOND

/** A response that is refused. Its message is for the owner of the workspace. */
export class SamlRefusal extends Error {
  /** Whether no certificate of the provider is valid. */
  readonly isExpired: boolean
  constructor(message: string, isExpired = false) {
    super(message)
    this.isExpired = isExpired
  }
}

/** What a browser posted. */
export interface SamlResponse {
  /** In base64. */
  readonly encoded: string
  readonly outline: ResponseOutline
}
export interface SamlClient {
  /**
   * The entity ID and the address for responses of a workspace. Each is a service provider of its own, so that no
   * assertion is for two of them.
   */
  addresses(tenantId: string): { readonly entityId: string; readonly acsUrl: string }
  /** The XML that a provider reads about the workspace. */
  metadata(tenantId: string): Promise<string>
  /** Where the browser goes. Throws `SamlRefusal` if no certificate could verify the response. */
  signInUrl(
    connection: OpenSsoConnection,
    requestId: string,
    options: { readonly forceAuthn: boolean },
  ): Promise<string>
  /** Verifies the response to a request. Throws `SamlRefusal`. */
  verify(connection: OpenSsoConnection, requestId: string, response: SamlResponse): Promise<SamlPerson>
}
type Needs = Deps<'product' | 'clock' | 'workerPool'>

const library = () => importOptional('@node-saml/node-saml', () => import('@node-saml/node-saml'))
const verifyTask: WorkerTask<typeof verifySaml> = {
  file: new URL('./saml-verification.js', import.meta.url),
  name: 'verifySaml',
}

export function createSamlClient({ product, clock, workerPool }: Needs): SamlClient {
  const addresses: SamlClient['addresses'] = tenantId => {
    const base = `${product.publicUrl}/sign-in/${SSO}/${tenantId}`
    return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` }
  }

  function partsOf({ tenantId, saml }: OpenSsoConnection, requestId: string) {
    if (!saml) throw new Error('the connection has no provider of SAML')
    const { signInUrl, emailAttribute } = saml
    const valid = saml.certificates.filter(certificate => isValidAt(certificate, clock.now()))
    if (valid.length === 0)
      throw new SamlRefusal('No certificate of the provider is valid. Enter its current certificate.', true)
    return { ...addresses(tenantId), requestId, signInUrl, emailAttribute, certificates: valid.map(({ pem }) => pem) }
  }

  return {
    addresses,

    async metadata(tenantId) {
      const { generateServiceProviderMetadata } = await library()
      const { entityId: issuer, acsUrl: callbackUrl } = addresses(tenantId)
      const options = { issuer, callbackUrl, wantAssertionsSigned: true, identifierFormat: null }
      return generateServiceProviderMetadata({ ...options, generateUniqueId: () => `_${tenantId}` })
    },

    async signInUrl(connection, requestId, { forceAuthn }) {
      const { SAML } = await library()
      return new SAML({ ...samlConfig(partsOf(connection, requestId)), forceAuthn }).getAuthorizeUrlAsync(
        '',
        undefined,
        {},
      )
    },

    async verify(connection, requestId, { encoded, outline }) {
      const { acsUrl } = addresses(connection.tenantId)
      if (outline.isEncrypted)
        throw new SamlRefusal('The provider encrypts its assertions. Turn the encryption off there.')
      if (outline.weakAlgorithm !== undefined)
        throw new SamlRefusal(`The provider signs with ${outline.weakAlgorithm}. Choose SHA-256 there.`)
      if (outline.destination !== undefined && outline.destination !== acsUrl)
        throw new SamlRefusal(`The response is for another address: ${outline.destination}.`)
      const { tenantId, issuer, groupsClaim } = connection
      const verification = { ...partsOf(connection, requestId), encoded, issuer, groupsClaim }
      const budget = { tenantId, timeoutMs: TIMEOUT_MS, elapsedMs: MAX_ELAPSED_MS }
      const verdict = await workerPool.run(verifyTask, verification, budget).catch((error: unknown) => {
        if (!Problem.is(error) || error.code !== workerPoolProblems.limit_exceeded.code) throw error
        throw new SamlRefusal('The response takes too long to verify. Let the provider send fewer groups.')
      })
      if ('refused' in verdict) throw new SamlRefusal(verdict.refused)
      return verdict.person
    },
  }
}
