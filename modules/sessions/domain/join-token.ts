/** Join tokens: `jt_` and 32 random bytes. Only their SHA-256 is kept. */
import { hash } from 'node:crypto'
import { randomBytes } from './random.ts'

export const newJoinToken = (): string => `jt_${randomBytes(32).toString('base64url')}`

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
