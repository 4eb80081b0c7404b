/** Join tokens: `jt_` and 32 random bytes. Only their SHA-256 is kept. */
import { createHash, randomBytes } from 'node:crypto'

export const newJoinToken = (): string => `jt_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
