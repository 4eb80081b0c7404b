/** Join tokens: `jt_` and 32 random bytes. The database stores only their SHA-256. */
import { hash, randomBytes } from 'node:crypto'

export const generateJoinToken = (): string => `jt_${randomBytes(32).toString('base64url')}`

export const hashJoinToken = (token: string): Buffer => hash('sha256', token, 'buffer')
