/** Stream tokens: `st_` and 32 random bytes. The database stores only their SHA-256. */
import { hash, randomBytes } from 'node:crypto'

const PREFIX = 'st_'

export const generateStreamToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`

/** Distinguishes stream tokens from join tokens by their prefix. */
export const isStreamToken = (token: string): boolean => token.startsWith(PREFIX)

export const hashStreamToken = (token: string): Buffer => hash('sha256', token, 'buffer')
