import { defineSettings, OneOf, type Product, type Static, Type, urlPattern } from '@larder-dev/larder/kernel'
import { type NamedAddress, parseNamedAddress } from './domain/address.ts'

export const CommsOptions = Type.Object(
  {
    transport: Type.Optional(
      OneOf(['auto', 'mailbox', 'smtp'], {
        description: 'smtp sends email; mailbox stores it and shows it at /mailbox. auto selects smtp if it has a url',
      }),
    ),
    from: Type.Optional(
      Type.String({
        description: 'Sender: hello@acme.test or Acme <hello@acme.test>',
        pattern: '^(?:[^<>\\r\\n]*<[^<>@\\s,]+@[^<>@\\s,]+>|[^<>@\\s,]+@[^<>@\\s,]+)$',
        examples: ['Acme <hello@acme.test>'],
      }),
    ),
    smtp: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            description: 'smtp://user:password@host:587 or smtps://…; empty disables SMTP',
            pattern: urlPattern('smtps?'),
            writeOnly: true,
          }),
        },
        { additionalProperties: false },
      ),
    ),
    recipientLimits: Type.Optional(
      Type.Object(
        {
          hour: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 20' })),
          day: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 60' })),
        },
        {
          additionalProperties: false,
          description:
            'Most product emails to one address over all tenants. Emails sent by API have half of each limit',
        },
      ),
    ),
    intake: Type.Optional(
      Type.Object(
        {
          sendgrid: Type.Optional(
            Type.Object(
              {
                publicKey: Type.String({
                  description: 'Verification key of the signed event webhook; empty disables it',
                  pattern: '^[A-Za-z0-9+/]*={0,2}$',
                }),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false, description: 'Email providers that report delivery events' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type CommsOptions = Static<typeof CommsOptions>

export const settings = defineSettings({
  variables: [{ name: 'SMTP_URL', about: 'SMTP server that sends mail: smtp://user:password@host:port', secret: true }],
  read: env => ({ smtpUrl: env.url('SMTP_URL', ['smtp', 'smtps']) }),
})

/** The sender of the recipe, or no-reply at the product's host. */
export function senderOf({ from }: CommsOptions, product: Pick<Product, 'name' | 'publicUrl'>): NamedAddress {
  if (from !== undefined) return parseNamedAddress(from)
  const { hostname } = new URL(product.publicUrl)
  return { name: product.name, address: `no-reply@${/^[\w.-]+$/.test(hostname) ? hostname : 'localhost'}` }
}
