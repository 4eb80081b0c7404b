import { createHash } from 'node:crypto'

/** SHA-256 (base64url) of the content of a message, to distinguish a repeated request from another message. */
export const digestOf = (body: string, attachments: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([body, attachments]))
    .digest('base64url')
