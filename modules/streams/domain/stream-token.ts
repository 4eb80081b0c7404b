/** Stream tokens: `st_` and 32 random bytes. Only their SHA-256 is kept. */
import { hash, randomBytes } from 'node:crypto'

const PREFIX = 'st_'

export const newStreamToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`

/** Whether it says of itself that it is one; a join token says something else. */
export const isStreamToken = (token: string): boolean => token.startsWith(PREFIX)

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
