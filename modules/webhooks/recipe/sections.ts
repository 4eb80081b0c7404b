import { type Static, Type } from '@larder-dev/larder/kernel'
import { EndpointDescription, EndpointUrl, EventPatterns } from '../records/endpoint.ts'

const RecipeEndpoint = Type.Object(
  { url: EndpointUrl, events: EventPatterns, description: Type.Optional(EndpointDescription) },
  { additionalProperties: false },
)
export type RecipeEndpoint = Static<typeof RecipeEndpoint>

export const sections = {
  webhooks: Type.Object(
    {
      endpoints: Type.Unsafe<Record<string, RecipeEndpoint>>({
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,63}$' },
        additionalProperties: RecipeEndpoint,
        maxProperties: 50,
        description: 'Endpoints of the operator, by key. They receive the events of every workspace',
      }),
    },
    { additionalProperties: false },
  ),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
