/** Compares the configuration of a running MediaMTX with the one that `docs/streams.md` describes. */
import { isRecord } from '@larder-dev/larder/kernel'
import { type createEdgeApi, EdgeError } from './edge-api.ts'

const AUTH_PATH = '/v1/media/edge/auth'
const EVENTS_PATH = '/v1/media/edge/events'
/** No connection has this id. */
const NO_CONNECTION = '00000000-0000-4000-8000-000000000000'

interface Expected {
  readonly prefix: string
  verifySecret(secret: string | undefined): boolean
}

/** Returns one sentence for each problem. */
export async function examineEdge(
  api: ReturnType<typeof createEdgeApi>,
  expected: Expected,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const settings = await api.settings(signal)
    await api.kick('webrtcsessions', NO_CONNECTION, signal)
    return [...authenticationProblems(settings, expected), ...hookProblems(await api.pathSettings(signal), expected)]
  } catch (error) {
    if (!(error instanceof EdgeError)) throw error
    return [explain(error)]
  }
}

function explain({ reason, message }: EdgeError): string {
  if (reason === 'unauthorized')
    return `${message}, so Larder can't close connections: add "authHTTPExclude: [{ action: api }]" to mediamtx.yml.`
  if (reason === 'not_mediamtx') return `${message}: check EDGE_API_URL.`
  return `${message}: start MediaMTX, enable its API ("api: yes"), or correct EDGE_API_URL.`
}

function authenticationProblems(settings: Record<string, unknown>, { verifySecret }: Expected): string[] {
  const address = String(settings.authHTTPAddress ?? '')
  if (settings.authMethod !== 'http' || !URL.canParse(address) || new URL(address).pathname !== AUTH_PATH)
    return [
      `The media edge doesn't ask Larder who may publish and play: set authMethod and authHTTPAddress in mediamtx.yml.`,
    ]
  const { password, searchParams } = new URL(address)
  const inQuery = searchParams.get('secret')
  if (!verifySecret(inQuery ?? decodeURIComponent(password)))
    return ['The secret in authHTTPAddress of mediamtx.yml is not the one in EDGE_SECRET, so Larder refuses everyone.']
  if (inQuery !== null)
    return ['MediaMTX logs the secret in the query of authHTTPAddress: write http://larder:SECRET@host/… instead.']
  return []
}

function hookProblems(paths: readonly Record<string, unknown>[], { prefix }: Expected): string[] {
  const commands = paths.filter(isRecord).map(path => [path.runOnAvailable, path.runOnUnavailable])
  const isHook = (command: unknown) => typeof command === 'string' && command.includes(EVENTS_PATH)
  if (commands.some(pair => pair.every(isHook))) return []
  return [
    `The media edge doesn't tell Larder when streams under ${prefix} start and stop: set runOnAvailable and runOnUnavailable in mediamtx.yml.`,
  ]
}
