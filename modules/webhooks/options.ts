import { type Static, Type } from '../../kernel/contract.ts'

export const WebhooksOptions = Type.Object(
  {
    allowHosts: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'Hosts that webhooks may reach though their address is private: localhost, hooks.internal:8080',
      }),
    ),
  },
  { additionalProperties: false },
)
export type WebhooksOptions = Static<typeof WebhooksOptions>
