import { createHash } from 'node:crypto'

/** Of what was posted: tells a repeat from another message. SHA-256, base64url. */
export const digestOf = (body: string, attachments: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([body, attachments]))
    .digest('base64url')
