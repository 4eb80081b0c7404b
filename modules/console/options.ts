import { type Static, Type } from '@larder-dev/larder/kernel'

export const ConsoleOptions = Type.Object(
  {
    customers: Type.Optional(
      Type.Union([Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true }), Type.Literal('all')], {
        description:
          "Areas of the console in workspaces other than the operator's: keys of modules and names of collections, or all. By default the collections and the product's own modules. Permissions stay the same",
      }),
    ),
    sidebar: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        uniqueItems: true,
        description:
          "Order of the navigation's groups: collections, people, content, money, messages, product, and keys of modules with a group of their own. Groups that are left out follow in this order, and the platform is last",
      }),
    ),
  },
  { additionalProperties: false },
)
export type ConsoleOptions = Static<typeof ConsoleOptions>
