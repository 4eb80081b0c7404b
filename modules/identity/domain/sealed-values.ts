/** Values that a client keeps for the server and can neither read nor change. */
import type { Deps } from '@larder-dev/larder/kernel'

type Needs = Deps<'secrets' | 'clock'>

/** Text for URLs and cookies. */
export function seal({ secrets, clock }: Needs, purpose: string, value: object, ttlMs: number): string {
  const text = JSON.stringify({ ...value, expiresAt: clock.now() + ttlMs })
  return secrets.encrypt(purpose, text).toString('base64url')
}

/** Undefined after `ttlMs`, and for what this server did not seal for the purpose. */
export function unseal<Value extends object>(
  { secrets, clock }: Needs,
  purpose: string,
  sealed: string,
): Value | undefined {
  try {
    const { expiresAt, ...value } = JSON.parse(secrets.decrypt(purpose, Buffer.from(sealed, 'base64url')))
    return expiresAt > clock.now() ? value : undefined
  } catch {
    return undefined
  }
}
