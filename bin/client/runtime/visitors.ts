import type { Sent } from './call.ts'
import { isLarderError, type ProblemDocument } from './errors.ts'
import type { IdempotentOptions } from './options.ts'
import type { Send } from './transport.ts'

export interface SubmitOptions extends IdempotentOptions {
  /** ID or slug of the workspace that the row belongs to; the product's own by default. */
  readonly workspace?: string | undefined
}

/** @internal */
export interface SolvableChallenge {
  readonly parameters: {
    readonly nonce: string
    readonly salt: string
    readonly cost: number
    readonly keyLength: number
    readonly keyPrefix: string
  }
}

const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], digits => Number.parseInt(digits, 16))
const toHex = (bytes: Uint8Array) => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** @internal */
export async function solveChallenge(challenge: SolvableChallenge, signal?: AbortSignal): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const start = fromHex(nonce)
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  const view = new DataView(password.buffer)
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    signal?.throwIfAborted()
    view.setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
  }
}

/**
 * Creates a row as a visitor. The first request gets the task of a collection that has one.
 * @internal
 */
export async function submitRow(
  send: Send,
  path: string,
  row: unknown,
  { workspace, ...options }: SubmitOptions = {},
): Promise<Sent<{ id: string }>> {
  const post = (proof?: string) =>
    send<{ id: string }, string>(
      { method: 'POST', path, query: { workspace, proof }, json: row, takesIdempotencyKey: true },
      options,
    ).withResponse()
  try {
    return await post()
  } catch (error) {
    if (!isLarderError(error, 'proof_required')) throw error
    const { challenge } = error.problem as ProblemDocument & { readonly challenge: SolvableChallenge }
    return post(await solveChallenge(challenge, options.signal))
  }
}
