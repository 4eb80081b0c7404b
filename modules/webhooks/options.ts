import { type Static, Type } from '@larder-dev/larder/kernel'

export const DEFAULT_MAX_ENDPOINTS = 20

/** The patterns reject URLs, ranges and wildcards, which would be treated as names that never match. */
const Host = Type.String({
  pattern: '^[^\\s,/*@]+$',
  description: 'Host name or IP address with an optional port: localhost, hooks.internal:8080',
})
const Hosts = Type.String({
  pattern: '^[^/*@]*$',
  description: 'Comma-separated host names or IP addresses with optional ports: localhost, hooks.internal:8080',
})

export const WebhooksOptions = Type.Object(
  {
    allowHosts: Type.Optional(
      Type.Union([Hosts, Type.Array(Host)], {
        description: 'Hosts that webhooks may reach even if their address is private: localhost, hooks.internal:8080',
      }),
    ),
    maxEndpoints: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description: 'Endpoints per workspace; 20 by default. The entitlement webhooks.endpoints limits them by plan',
      }),
    ),
  },
  { additionalProperties: false },
)
export type WebhooksOptions = Static<typeof WebhooksOptions>

/** The hosts that webhooks may reach. */
export const policyOf = ({ allowHosts }: WebhooksOptions) => ({ allowHosts, setting: 'modules.webhooks.allowHosts' })
