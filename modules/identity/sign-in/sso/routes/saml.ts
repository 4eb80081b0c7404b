/** What providers of SAML need of a workspace: its metadata, and the address that takes responses. */
import { common, idPattern, KIB, type RawRequest, rawRoute, Type } from '@larder-dev/larder/kernel'
import { signInAddressLimit } from '../../../domain/rate-limits.ts'
import type { SignInServices } from '../../services.ts'

/** A response with a thousand groups fits. */
const MAX_RESPONSE_BYTES = 128 * KIB
const METADATA = 'application/samlmetadata+xml'
const WORKSPACE = new RegExp(idPattern('ten'))

export function samlRoutes({ samlClient, samlResponses, settings }: SignInServices) {
  if (!settings.enterprise) return []
  const shared = { allow: 'public', limits: [signInAddressLimit] } as const
  return [
    rawRoute({
      ...shared,
      method: 'get',
      path: '/sign-in/sso/:workspace/metadata',
      operationId: 'getSamlMetadata',
      summary: 'Returns the metadata of a workspace as a SAML service provider.',
      docs: { replies: { 200: { [METADATA]: null } }, problems: [common.not_found] },
      async handle(request, response) {
        // The same for any ID: whether a workspace exists stays unknown.
        const xml = await samlClient.metadata(workspaceOf(request))
        response.setHeader('content-type', `${METADATA}; charset=utf-8`)
        response.end(xml)
      },
    }),
    rawRoute({
      ...shared,
      method: 'post',
      path: '/sign-in/sso/:workspace/acs',
      operationId: 'receiveSamlResponse',
      summary: 'Verifies a SAML response that a browser posts, and continues the sign-in at the callback.',
      docs: {
        body: { 'application/x-www-form-urlencoded': Type.Object({ SAMLResponse: Type.String() }) },
        replies: { 303: null },
        problems: [common.not_found, common.body_too_large],
      },
      // A post from another site has no cookie. The browser sends it with the request that follows.
      async handle(request, response, { readBody }) {
        const workspace = workspaceOf(request)
        const form = new URLSearchParams((await readBody(MAX_RESPONSE_BYTES)).toString('utf8'))
        response.setHeader('cache-control', 'no-store')
        response
          .status(303)
          .location(await samlResponses.receive(workspace, form.get('SAMLResponse') ?? ''))
          .end()
      },
    }),
  ]
}

function workspaceOf({ params }: RawRequest): string {
  const id = String(params.workspace)
  if (!WORKSPACE.test(id)) throw common.not_found({ what: 'workspace' })
  return id
}
