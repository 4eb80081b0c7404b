import { OneOf, type Product, type Static, Type } from 'larder/kernel'
import { namedAddress } from './domain/address.ts'
import type { Address } from './services/transports/transport.ts'

export const CommsOptions = Type.Object(
  {
    transport: Type.Optional(
      OneOf(['auto', 'mailbox', 'smtp'], {
        description:
          'How mail leaves: smtp, or mailbox, which keeps it and shows it at /mailbox. auto: smtp if it has a url',
      }),
    ),
    from: Type.Optional(
      Type.String({
        description: 'The sender: hello@acme.test or Acme <hello@acme.test>',
        pattern: '^(?:[^<>@\\r\\n]*<[^<>@\\s,]+@[^<>@\\s,]+>|[^<>@\\s,]+@[^<>@\\s,]+)$',
        examples: ['Acme <hello@acme.test>'],
      }),
    ),
    smtp: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            description: 'smtp://user:password@host:587 or smtps://…; empty is none',
            pattern: '^(?:smtps?://.+)?$',
            writeOnly: true,
          }),
        },
        { additionalProperties: false },
      ),
    ),
    intake: Type.Optional(
      Type.Object(
        {
          sendgrid: Type.Optional(
            Type.Object(
              {
                publicKey: Type.String({
                  description: 'Verification key of the signed event webhook; empty is none',
                  pattern: '^[A-Za-z0-9+/]*={0,2}$',
                }),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false, description: 'Providers that tell what became of mail' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type CommsOptions = Static<typeof CommsOptions>

/** The sender: what the recipe says, or no-reply at the product's own host. */
export function senderOf({ from }: CommsOptions, product: Pick<Product, 'name' | 'publicUrl'>): Address {
  if (from !== undefined) return namedAddress(from)
  const { hostname } = new URL(product.publicUrl)
  return { name: product.name, address: `no-reply@${/^[\w.-]+$/.test(hostname) ? hostname : 'localhost'}` }
}
