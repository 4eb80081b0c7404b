/** Examines the providers of the recipe, for `larder doctor`. */
import { MINUTE, SECOND } from '@larder-dev/larder/kernel'
import type { Configuration, CustomFetch } from 'openid-client'
import { type IdentityOptions, type Provider, providersOf } from '../../options.ts'
import { connectProvider, openid } from './provider-client.ts'
import { describeFailure } from './provider-failures.ts'

/** ID tokens are valid for a few minutes. */
const MAX_SKEW_MS = MINUTE
const WRONG_CLIENT = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'])

export async function diagnoseProviders(options: IdentityOptions): Promise<readonly string[]> {
  return (await Promise.all(providersOf(options).map(diagnose))).flat()
}

async function diagnose(provider: Provider): Promise<string[]> {
  const { name } = provider
  let skew = 0
  const send: CustomFetch = async (url, options) => {
    const response = await fetch(url, options as RequestInit)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) skew = Date.now() - date
    return response
  }
  try {
    const configuration = await connectProvider(provider, send)
    const found = await examineClient(provider, configuration)
    return Math.abs(skew) > MAX_SKEW_MS ? [...found, describeSkew(name, skew)] : found
  } catch (error) {
    return [`The sign-in provider "${name}" can't be used: ${describeFailure(error)}.`]
  }
}

/** Sends a code that no provider has issued: providers check the client first. */
async function examineClient({ name }: Provider, configuration: Configuration): Promise<string[]> {
  const { genericGrantRequest } = await openid()
  try {
    await genericGrantRequest(configuration, 'authorization_code', {
      code: 'larder-doctor',
      code_verifier: 'larder-doctor-sends-no-real-code-to-providers',
      redirect_uri: 'https://localhost/',
    })
    return []
  } catch (failure) {
    const { error, status } = failure as { readonly error?: unknown; readonly status?: unknown }
    if (status !== 401 && !WRONG_CLIENT.has(String(error)))
      return typeof error === 'string' ? [] : [`The sign-in provider "${name}" fails: ${describeFailure(failure)}.`]
    return [
      `The sign-in provider "${name}" refuses the client: ${describeFailure(failure)}. Check clientId and the secret in the recipe.`,
    ]
  }
}

function describeSkew(name: string, skew: number): string {
  const seconds = Math.round(Math.abs(skew) / SECOND)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${seconds} seconds ${direction} that of the sign-in provider "${name}", so sign-ins can fail. Synchronize it.`
}
