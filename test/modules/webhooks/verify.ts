/** Verifies signatures of Standard Webhooks 1.0.0, independently of the signing code. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received } from './receiver.ts'

export function verifies(
  secret: string,
  { headers, body }: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string },
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const expected = createHmac('sha256', key).update(content, 'utf8').digest()
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some(entry => {
      const [version, signature = ''] = entry.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

export const signaturesOf = ({ headers }: Pick<Received, 'headers'>): string[] =>
  String(headers['webhook-signature']).split(' ')
