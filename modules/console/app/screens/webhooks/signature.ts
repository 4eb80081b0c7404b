/** Signatures of Standard Webhooks 1.0.0, computed in the browser. */

const PREFIX = 'whsec_'
const MAX_AGE_SECONDS = 300

export interface SignedRequest {
  readonly secret: string
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly body: string
  /** One or several signatures, separated by spaces. */
  readonly signature: string
}
export type Verdict =
  | { readonly kind: 'valid' | 'validOld' | 'badSecret' }
  | { readonly kind: 'invalid'; readonly expected: string }

export async function verify(request: SignedRequest, nowMs: number): Promise<Verdict> {
  const key = decodeSecret(request.secret.trim())
  if (!key) return { kind: 'badSecret' }
  const { id, timestamp, body, signature } = request
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign(
    'HMAC',
    imported,
    new TextEncoder().encode(`${id.trim()}.${timestamp.trim()}.${body}`),
  )
  const expected = `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`
  if (!signature.trim().split(/\s+/).includes(expected)) return { kind: 'invalid', expected }
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  return { kind: ageSeconds > MAX_AGE_SECONDS ? 'validOld' : 'valid' }
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(PREFIX)) return undefined
  try {
    const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), letter => letter.charCodeAt(0))
    return bytes.length > 0 ? bytes : undefined
  } catch {
    return undefined
  }
}
