/** A whole address, a range and a wildcard would be read as a name, and never met: the recipe check tells them. */
import { type Static, Type } from 'larder/kernel'

const Host = Type.String({
  pattern: '^[^\\s,/*@]+$',
  description: 'a name or an address, with or without a port: localhost, hooks.internal:8080',
})
const Hosts = Type.String({
  pattern: '^[^/*@]*$',
  description:
    'names or addresses with commas between them, each with or without a port: localhost, hooks.internal:8080',
})

export const WebhooksOptions = Type.Object(
  {
    allowHosts: Type.Optional(
      Type.Union([Hosts, Type.Array(Host)], {
        description: 'Hosts that webhooks may reach though their address is private: localhost, hooks.internal:8080',
      }),
    ),
  },
  { additionalProperties: false },
)
export type WebhooksOptions = Static<typeof WebhooksOptions>
